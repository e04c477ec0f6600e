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

// A gelu by its erf is one function: six tables of coefficients, five
// multiply-adds for the polynomial, added to max(x, 0). With another factor than
// √½ it is none.

// TABLES-LABEL: func.func @gelu
// TABLES-COUNT-6: "llvm.x86.avx512.permvar.sf.512"
// TABLES-NOT: permvar
// TABLES: %[[LACKING:.*]] = math.fma
// TABLES-NEXT: %[[IS_BELOW:.*]] = arith.cmpf ogt, %[[ZERO:.*]], %arg0
// TABLES-NEXT: %[[POSITIVE:.*]] = arith.select %[[IS_BELOW]], %[[ZERO]], %arg0
// TABLES-NEXT: arith.addf %[[POSITIVE]], %[[LACKING]]
// TABLES-NEXT: return
func.func @gelu(%x: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant dense<5.000000e-01> : vector<16xf32>
  %c1 = arith.constant 0.707106769 : f32
  %root = vector.broadcast %c1 : f32 to vector<16xf32>
  %half = arith.mulf %c0, %x : vector<16xf32>
  %scaled = arith.mulf %x, %root : vector<16xf32>
  %erf = math.erf %scaled : vector<16xf32>
  %y = math.fma %half, %erf, %half : vector<16xf32>
  return %y : vector<16xf32>
}

// TABLES-LABEL: func.func @no_gelu
// TABLES-COUNT-6: "llvm.x86.avx512.permvar.sf.512"
// TABLES-NOT: permvar
// TABLES: return
func.func @no_gelu(%x: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant dense<5.000000e-01> : vector<16xf32>
  %c1 = arith.constant dense<7.000000e-01> : vector<16xf32>
  %half = arith.mulf %c0, %x : vector<16xf32>
  %scaled = arith.mulf %x, %c1 : vector<16xf32>
  %erf = math.erf %scaled : vector<16xf32>
  %y = math.fma %half, %erf, %half : vector<16xf32>
  return %y : vector<16xf32>
}
