// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 2 batches, 4 query and 2 key heads, 8 queries, 16 keys, heads of 32 and 64:
//   scores    2·4·8·16 = 1024 in 64 rows
//   products  2·1024·(32 + 64) = 196608
//   softmax   5·1024 − 2·64: of it 2048 special (exp, divide), 2944 others
//   scale     1024: 3968 others; a mask 1024 more: 4992; a soft cap 3·1024 more:
//             tanh and divide special (4096), a multiplication (6016)
//   bytes     never the scores: Q 2·2·4·8·32 = 4096, K 4096, V 8192; out 8192
//   projected 2·16·256·384 = 3145728 more
// Causal: 128 − 8·7/2 = 100 of 128 scores a head, 800 in all: 2·800·96 +
//   5·800 − 128 + 800 = 158272, beside the whole's 196608 + 3968 + 2048

!q = tensor<2x4x8x32xf16>
!k = tensor<2x2x16x32xf16>
!v = tensor<2x2x16x64xf16>
!y = tensor<2x4x8x64xf16>
module {
  func.func @main(%q: !q, %k: !k, %v: !v, %past_k: !k, %past_v: !v) {
    // CHECK: rl.attention{{.*}}<flops = {matmul.f16 = 196608, vector.f16 = 3968, special.f16 = 2048}, read = {activation = 16384}, written = {activation = 8192}, launches = 1>
    %plain = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, 16, 32, 64]> : (!q, !k, !v) -> !y
    // CHECK: rl.attention{{.*}}<flops = {matmul.f16 = 196608, vector.f16 = 6016, special.f16 = 4096}, read
    %capped = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, 16, 32, 64]> masked softcap : (!q, !k, !v) -> !y
    // CHECK: rl.attention{{.*}}<flops = {matmul.f16 = 196608, vector.f16 = 3968, special.f16 = 2048}, {{.*}}, causal = 158272>
    %causal = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, 16, 32, 64]> causal : (!q, !k, !v) -> !y
    // CHECK: rl.attention{{.*}}<flops = {matmul.f16 = 3342336, vector.f16 = 3968, special.f16 = 2048}, read
    %projected = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, 16, 32, 64]> projection <[16, 256, 384]> : (!q, !k, !v) -> !y
    // CHECK: rl.attention{{.*}}<flops = {{.*}}, read = {activation = 4096, kv_cache = 12288}, written = {activation = 8192, kv_cache = 12288}
    %cached:3 = rl.attention(%q, %past_k, %past_v) extents <[2, 4, 2, 8, 16, 32, 64]> {cache_operands = array<i64: 1, 2>, cache_results = array<i64: 1, 2>} : (!q, !k, !v) -> (!y, !k, !v)
    // CHECK: rl.attention{{.*}}<flops = ?, read = {activation = 16384}
    %unknown = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, ?, 32, 64]> : (!q, !k, !v) -> !y
    // CHECK: rl.attention{{.*}}<flops = {matmul.f16 = "12288*keys"
    %named = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, "keys", 32, 64]> : (!q, !k, !v) -> !y
    return
  }
}
