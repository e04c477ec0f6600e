// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A size that data decides is unknown, and so is what depends on it; never 0.

// CHECK: linalg.exp {{.*}}<flops = ?, read = {activation = ?}, written = {activation = ?}, launches = 1>
module {
  func.func @unknown(%x: tensor<100xf32>, %n: tensor<index>) {
    %size = tensor.extract %n[] : tensor<index>
    %s = tensor.extract_slice %x[0] [%size] [1] : tensor<100xf32> to tensor<?xf32>
    %e = tensor.empty(%size) : tensor<?xf32>
    %0 = linalg.exp ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    return
  }
}
