// RUN: rl-lower %s --rl-approximate-math | FileCheck %s
// RUN: rl-lower %s --rl-approximate-math=tables=true | FileCheck %s --check-prefixes=CHECK,TABLES

// Of vectors of f32, exp, log, erf, tanh, sin and cos become polynomials. A root
// is one instruction, and f64 is left to the library, which is exact.

// CHECK-LABEL: func.func @replaced
// CHECK-NOT: math.{{exp|log|erf|tanh|sin|cos}} 
// CHECK: return
func.func @replaced(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.log %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  %3 = math.tanh %2 : vector<8xf32>
  %4 = math.sin %3 : vector<8xf32>
  %5 = math.cos %4 : vector<8xf32>
  return %5 : vector<8xf32>
}

// CHECK-LABEL: func.func @left
// CHECK: math.sqrt
// CHECK: math.exp %{{.*}} : vector<4xf64>
func.func @left(%x: vector<8xf32>, %y: vector<4xf64>) -> (vector<8xf32>, vector<4xf64>) {
  %0 = math.sqrt %x : vector<8xf32>
  %1 = math.exp %y : vector<4xf64>
  return %0, %1 : vector<8xf32>, vector<4xf64>
}

// With AVX-512 an exp reads one table of 16 and takes six multiply-adds and a
// multiplication, an erf six tables and five multiply-adds. Longer vectors are
// taken 16 lanes at a time.

// TABLES-LABEL: func.func @exp_of_16
// TABLES-NOT: math.exp
// TABLES-COUNT-5: math.fma
// TABLES: "llvm.x86.avx512.permvar.sf.512"
// TABLES: math.fma
// TABLES-NOT: math.fma
// TABLES: "llvm.x86.avx512.mask.scalef.ps.512"
// TABLES: return
func.func @exp_of_16(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// TABLES-LABEL: func.func @erf_of_32
// TABLES-NOT: math.erf
// TABLES-COUNT-12: "llvm.x86.avx512.permvar.sf.512"
// TABLES-NOT: permvar
// TABLES: return
func.func @erf_of_32(%x: vector<32xf32>) -> vector<32xf32> {
  %0 = math.erf %x : vector<32xf32>
  return %0 : vector<32xf32>
}
