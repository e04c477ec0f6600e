// RUN: rl-lower %s --pass-pipeline='builtin.module(rl-call-parallel)' | FileCheck %s

// What is handed over lies on the caller's stack; an entry of the runtime's type
// takes it from there. A second call has the same entry, whose name is another
// where that is taken.

// CHECK: llvm.func @rl_parallel_for(!llvm.ptr, !llvm.ptr, i64)
// CHECK-NOT: @part_entry_
// CHECK: llvm.func internal @part_entry(%[[CONTEXT:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[CONTEXT]][0, 0]
// CHECK: %[[X:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[CONTEXT]][0, 1]
// CHECK: %[[S:.*]] = llvm.load %[[P1]] : !llvm.ptr -> f32
// CHECK: llvm.call @part(%[[I]], %[[X]], %[[S]])
// CHECK: llvm.func internal @part
// CHECK: llvm.func @f
// CHECK: llvm.alloca
// CHECK: %[[MEMORY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, f32)>
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-COUNT-2: llvm.store
// CHECK: %[[ENTRY:.*]] = llvm.mlir.addressof @part_entry
// CHECK: llvm.call @rl_parallel_for(%[[ENTRY]], %[[MEMORY]], %[[COUNT]])
// CHECK: %[[SECOND:.*]] = llvm.mlir.addressof @part_entry
// CHECK: llvm.call @rl_parallel_for(%[[SECOND]],
// CHECK-NOT: llvm.call @part(
llvm.func @part(%i: i64, %x: !llvm.ptr, %s: f32) attributes {rl.parallel} {
  llvm.return
}
llvm.func @f(%x: !llvm.ptr, %s: f32) {
  %two = llvm.mlir.constant(2 : i64) : i64
  llvm.call @part(%two, %x, %s) : (i64, !llvm.ptr, f32) -> ()
  llvm.call @part(%two, %x, %s) : (i64, !llvm.ptr, f32) -> ()
  llvm.return
}

// CHECK: llvm.func internal @other_entry_0
// CHECK: llvm.func @other_entry()
// CHECK: llvm.mlir.addressof @other_entry_0
llvm.func @other(%i: i64) attributes {rl.parallel} {
  llvm.return
}
llvm.func @other_entry() {
  %two = llvm.mlir.constant(2 : i64) : i64
  llvm.call @other(%two) : (i64) -> ()
  llvm.return
}
