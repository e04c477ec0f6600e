//===- OneDNN.cpp - problems computed by oneDNN ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN chooses the layouts of all operands by itself (format "any"). They are
// brought into those in `bind`, and the result out of its in `finish`.
//
//===----------------------------------------------------------------------===//

#include "OneDNN.h"
#include <dlfcn.h>
#include <dnnl.hpp>
#include <numeric>
#include <unordered_map>

using namespace llvm;
using dnnl::memory;

namespace roofline::runtime::onednn {

std::string version() {
  const dnnl_version_t *version = dnnl_version();
  return std::to_string(version->major) + "." + std::to_string(version->minor) +
         "." + std::to_string(version->patch);
}

bool useThreads(unsigned count) {
  // Whichever OpenMP it was built with has this function.
  using Setter = void (*)(int);
  auto set =
      reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (set)
    set(int(count));
  return set;
}

static memory::data_type dataType(LibraryType type) {
  switch (type) {
  case LibraryType::F32:
    return memory::data_type::f32;
  case LibraryType::BF16:
    return memory::data_type::bf16;
  case LibraryType::S8:
    return memory::data_type::s8;
  case LibraryType::U8:
    return memory::data_type::u8;
  case LibraryType::S32:
    return memory::data_type::s32;
  }
  return memory::data_type::undef;
}

static memory::desc rowMajor(LibraryType type, const memory::dims &sizes) {
  memory::dims strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  return memory::desc(sizes, dataType(type), strides);
}

static memory::desc anyLayout(LibraryType type, const memory::dims &sizes) {
  return memory::desc(sizes, dataType(type), memory::format_tag::any);
}

namespace {

/// A tensor on its way between the caller's order and oneDNN's layout: its
/// dimensions in the problem's order, packed, are what oneDNN sees as `shape`.
class Passage {
public:
  Passage(const LibraryTensor &tensor, const memory::dims &shape,
          const memory::desc &chosen, const dnnl::engine &engine)
      : position(tensor.position),
        outside(described(tensor), engine, DNNL_MEMORY_NONE),
        packed(rowMajor(tensor.type, outside.get_desc().dims()), engine),
        shaped(rowMajor(tensor.type, shape), engine, packed.get_data_handle()),
        inside(chosen, engine) {}

  void enter(dnnl::stream &stream, void *data) {
    outside.set_data_handle(data);
    move(stream, outside, packed);
    move(stream, shaped, inside);
  }
  void leave(dnnl::stream &stream) {
    move(stream, inside, shaped);
    move(stream, packed, outside);
  }

  const unsigned position;
  memory outside, packed, shaped, inside;

private:
  static memory::desc described(const LibraryTensor &tensor) {
    if (tensor.sizes.empty())
      return rowMajor(tensor.type, {1});
    return memory::desc(tensor.sizes, dataType(tensor.type), tensor.strides);
  }
  static void move(dnnl::stream &stream, memory &from, memory &to) {
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
  }
};

class Kernel final : public OpKernel {
public:
  explicit Kernel(const dnnl::engine &engine)
      : engine(engine), stream(engine) {}

  void setPrimitive(dnnl::primitive chosen) { primitive = std::move(chosen); }
  void addInput(int argument, const LibraryTensor &tensor,
                const memory::dims &shape, const memory::desc &chosen) {
    inputs.emplace_back(tensor, shape, chosen, engine);
    arguments[argument] = inputs.back().inside;
  }
  void setResult(const LibraryTensor &tensor, const memory::dims &shape,
                 const memory::desc &chosen) {
    result.emplace(tensor, shape, chosen, engine);
    arguments[DNNL_ARG_DST] = result->inside;
  }

  Error bind(ArrayRef<void *> operands, ArrayRef<void *> results) override {
    try {
      for (Passage &input : inputs)
        input.enter(stream, operands[input.position]);
      result->outside.set_data_handle(results[result->position]);
    } catch (const dnnl::error &error) {
      return createStringError(StringRef("oneDNN: ") + error.what());
    }
    return Error::success();
  }

  void run() override {
    try {
      primitive.execute(stream, arguments);
      stream.wait();
    } catch (const dnnl::error &error) {
      problem = error.what();
    }
  }

  Error finish() override {
    try {
      if (problem.empty())
        result->leave(stream);
    } catch (const dnnl::error &error) {
      problem = error.what();
    }
    return problem.empty() ? Error::success()
                           : createStringError("oneDNN: " + problem);
  }

private:
  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::primitive primitive;
  std::vector<Passage> inputs;
  std::optional<Passage> result;
  std::unordered_map<int, memory> arguments;
  std::string problem;
};

} // namespace

/// Runs `make`; what oneDNN hasn't implemented is null.
template <typename Fn>
static Expected<std::unique_ptr<OpKernel>> guarded(Fn make) {
  try {
    return std::unique_ptr<OpKernel>(make());
  } catch (const dnnl::error &error) {
    if (error.status == dnnl_unimplemented)
      return std::unique_ptr<OpKernel>();
    return createStringError(StringRef("oneDNN: ") + error.what());
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static std::unique_ptr<Kernel> makeProduct(const ProductProblem &p) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  auto shape = [&](int64_t rows, int64_t columns) {
    return p.b == 1 ? memory::dims{rows, columns}
                    : memory::dims{p.b, rows, columns};
  };
  memory::dims left = shape(p.m, p.k), right = shape(p.k, p.n),
               result = shape(p.m, p.n), bias = shape(1, p.n);
  if (p.b != 1)
    bias.front() = 1;
  memory::desc x = anyLayout(p.left.type, left),
               w = anyLayout(p.right.type, right),
               y = anyLayout(p.result.type, result);
  memory::desc biasDesc =
      p.bias ? rowMajor(p.bias->type, bias) : memory::desc();
  dnnl::matmul::desc desc = p.bias ? dnnl::matmul::desc(x, w, biasDesc, y)
                                   : dnnl::matmul::desc(x, w, y);
  dnnl::primitive_attr attributes;
  if (p.scale != 1)
    attributes.set_output_scales(0, {p.scale});
  dnnl::matmul::primitive_desc chosen(desc, attributes, engine);
  auto kernel = std::make_unique<Kernel>(engine);
  kernel->setPrimitive(dnnl::matmul(chosen));
  kernel->addInput(DNNL_ARG_SRC, p.left, left, chosen.src_desc());
  kernel->addInput(DNNL_ARG_WEIGHTS, p.right, right, chosen.weights_desc());
  if (p.bias)
    kernel->addInput(DNNL_ARG_BIAS, *p.bias, bias, biasDesc);
  kernel->setResult(p.result, result, chosen.dst_desc());
  return kernel;
}

Expected<std::unique_ptr<OpKernel>> compile(const ProductProblem &problem) {
  return guarded([&] { return makeProduct(problem); });
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static std::unique_ptr<Kernel> makeConv(const ConvProblem &p) {
  using Conv = dnnl::convolution_forward;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  memory::desc x = anyLayout(p.input.type, p.input.sizes),
               w = anyLayout(p.filter.type, p.filter.sizes),
               y = anyLayout(p.result.type, p.result.sizes);
  memory::desc bias =
      p.bias ? rowMajor(p.bias->type, p.bias->sizes) : memory::desc();
  memory::dims dilations = p.dilations;
  for (memory::dim &dilation : dilations)
    --dilation; // 0 is none there
  // The same sums as everyone's: what saves multiplications is another
  // algorithm, with another roof.
  auto algorithm = dnnl::algorithm::convolution_direct;
  auto kind = dnnl::prop_kind::forward_inference;
  Conv::desc desc = p.bias
                        ? Conv::desc(kind, algorithm, x, w, bias, y, p.strides,
                                     dilations, p.padsBegin, p.padsEnd)
                        : Conv::desc(kind, algorithm, x, w, y, p.strides,
                                     dilations, p.padsBegin, p.padsEnd);
  Conv::primitive_desc chosen(desc, engine);
  auto kernel = std::make_unique<Kernel>(engine);
  kernel->setPrimitive(Conv(chosen));
  kernel->addInput(DNNL_ARG_SRC, p.input, p.input.sizes, chosen.src_desc());
  kernel->addInput(DNNL_ARG_WEIGHTS, p.filter, p.filter.sizes,
                   chosen.weights_desc());
  if (p.bias)
    kernel->addInput(DNNL_ARG_BIAS, *p.bias, p.bias->sizes, bias);
  kernel->setResult(p.result, p.result.sizes, chosen.dst_desc());
  return kernel;
}

Expected<std::unique_ptr<OpKernel>> compile(const ConvProblem &problem) {
  return guarded([&] { return makeConv(problem); });
}

} // namespace roofline::runtime::onednn
