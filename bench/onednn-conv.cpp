//===- onednn-conv.cpp - convolutions by oneDNN, for comparison -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   onednn-conv IN SIZE OUT KERNEL STRIDE PAD
//
// The median CPU seconds of one f32 convolution (batch 1, square) with the
// layouts that oneDNN chooses for it; what it reorders is left out.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dnnl.hpp>
#include <time.h>
#include <unordered_map>
#include <vector>

using dnnl::memory;

static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

int main(int argc, char **argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: onednn-conv IN SIZE OUT KERNEL STRIDE PAD\n");
    return 2;
  }
  long v[6];
  for (int i = 0; i < 6; ++i)
    v[i] = std::atol(argv[i + 1]);
  auto [in, size, out, kernel, stride, pad] = v;
  long result = (size + 2 * pad - kernel) / stride + 1;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  auto any = memory::format_tag::any;
  auto f32 = memory::data_type::f32;
  memory::desc x({1, in, size, size}, f32, any);
  memory::desc w({out, in, kernel, kernel}, f32, any);
  memory::desc y({1, out, result, result}, f32, any);
  dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      x, w, y, {stride, stride}, {pad, pad}, {pad, pad});
  dnnl::convolution_forward::primitive_desc primitive(desc, engine);
  memory mx(primitive.src_desc(), engine), mw(primitive.weights_desc(), engine),
      my(primitive.dst_desc(), engine);
  for (memory *m : {&mx, &mw, &my}) {
    auto *data = static_cast<float *>(m->get_data_handle());
    for (size_t i = 0; i < m->get_desc().get_size() / 4; ++i)
      data[i] = float(i % 17) * 0.01f;
  }
  dnnl::convolution_forward convolution(primitive);
  std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, mx}, {DNNL_ARG_WEIGHTS, mw}, {DNNL_ARG_DST, my}};
  std::vector<double> samples;
  for (int i = 0; i < 40; ++i) {
    double start = now();
    convolution.execute(stream, arguments);
    stream.wait();
    if (i >= 10)
      samples.push_back(now() - start);
  }
  std::sort(samples.begin(), samples.end());
  std::printf("%.9f\n", samples[samples.size() / 2]);
}
