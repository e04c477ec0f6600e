// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Reads by computed indices of a tensor that is no operand: the elements picked,
// never more than the tensor. Address arithmetic is free.

#ids = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
module {
  func.func @captured(%ids: tensor<4xi64>, %small: tensor<2x2xf32>) -> (tensor<4x16xf32>, tensor<8x8xf32>) {
    %table = arith.constant dense_resource<table> : tensor<1000x16xf32>
    %limit = arith.constant 1000 : i64
    %zero = arith.constant 0 : i64
    %e = tensor.empty() : tensor<4x16xf32>
    // An embedding: 4 rows of 16, 256 of the table's 64000 bytes; ids 32.
    // CHECK: linalg.generic {{.*}}<flops = {}, read = {weight = 256, activation = 32}, written = {activation = 256}, launches = 1>
    %0 = linalg.generic {indexing_maps = [#ids, #id], iterator_types = ["parallel", "parallel"]}
        ins(%ids : tensor<4xi64>) outs(%e : tensor<4x16xf32>) {
    ^bb0(%in: i64, %o: f32):
      %neg = arith.cmpi slt, %in, %zero : i64
      %wrapped = arith.addi %in, %limit : i64
      %row = arith.select %neg, %wrapped, %in : i64
      %i = arith.index_cast %row : i64 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %table[%i, %j] : tensor<1000x16xf32>
      linalg.yield %v : f32
    } -> tensor<4x16xf32>
    // Nearest resize of 2x2 to 8x8: 64 picks, but only 16 bytes are there.
    // CHECK: linalg.generic {{.*}}<flops = {}, read = {activation = 16}, written = {activation = 256}, launches = 1>
    %c4 = arith.constant 4 : index
    %e2 = tensor.empty() : tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e2 : tensor<8x8xf32>) {
    ^bb0(%o: f32):
      %y = linalg.index 0 : index
      %x = linalg.index 1 : index
      %sy = arith.divui %y, %c4 : index
      %sx = arith.divui %x, %c4 : index
      %v = tensor.extract %small[%sy, %sx] : tensor<2x2xf32>
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    return %0, %1 : tensor<4x16xf32>, tensor<8x8xf32>
  }
}
