//===- DimNames.cpp - what a model's dimensions are called ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "roofline/Cost/Device.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

using Dimension = DimNames::Dimension;

/// The name of a dimension; empty for a number and for one without a name. `?`
/// is written for sizes that have nothing to do with each other.
static StringRef nameOf(const Dimension &dimension) {
  if (!dimension.has_dim_param() || dimension.dim_param() == "?")
    return "";
  return dimension.dim_param();
}

/// -1 is written for unknown.
static std::optional<int64_t> sizeOf(const Dimension &dimension) {
  if (!dimension.has_dim_value() || dimension.dim_value() < 0)
    return std::nullopt;
  return dimension.dim_value();
}

/// `x[0]`.
static std::string placeName(StringRef input, unsigned axis) {
  return (input + "[" + Twine(axis) + "]").str();
}

static const onnx::TensorShapeProto *shapeOf(const onnx::TypeProto &type) {
  if (type.has_tensor_type() && type.tensor_type().has_shape())
    return &type.tensor_type().shape();
  if (type.has_sparse_tensor_type() && type.sparse_tensor_type().has_shape())
    return &type.sparse_tensor_type().shape();
  return nullptr;
}

static Error usage(const Twine &message) {
  return make_error<UsageError>(message.str());
}

/// "; did you mean 'batch'?" or, where nothing is near, what there is.
static std::string suggest(StringRef name, ArrayRef<StringRef> candidates,
                           StringRef what) {
  std::vector<std::string> near = nearMatches(name, candidates);
  if (!near.empty())
    return "; did you mean '" + near.front() + "'?";
  if (candidates.empty())
    return (" (it has no " + what + ")").str();
  std::string text = (" (it has " + what + " ").str();
  size_t shown = std::min<size_t>(candidates.size(), 8);
  for (size_t i = 0; i < shown; ++i)
    text += (i ? ", " : "") + candidates[i].str();
  return text + (shown < candidates.size() ? " …)" : ")");
}

DimNames::DimNames(const onnx::ModelProto &model) : model(model) {
  const onnx::GraphProto &graph = model.graph();
  StringSet<> initializers;
  if (graph.input_size() > 0) {
    for (const onnx::TensorProto &tensor : graph.initializer())
      initializers.insert(tensor.name());
    for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
      initializers.insert(tensor.values().name());
  }
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (initializers.contains(input.name()))
      continue;
    inputs.push_back(&input);
    if (const onnx::TensorShapeProto *shape = shapeOf(input.type()))
      for (const Dimension &dimension : shape->dim())
        if (StringRef name = nameOf(dimension); !name.empty())
          inputNames.insert(name);
  }
}

Expected<std::unique_ptr<DimNames>>
DimNames::create(const onnx::ModelProto &model, const ImportOptions &options) {
  std::unique_ptr<DimNames> names(new DimNames(model));
  if (Error error = names->applyShapes(options))
    return std::move(error);
  if (Error error = names->applyDims(options))
    return std::move(error);
  for (const auto &[name, value] : options.values)
    if (!names->findInput(name))
      return names->unknownInput("--value", name);
  return names;
}

const onnx::ValueInfoProto *DimNames::findInput(StringRef name) const {
  for (const onnx::ValueInfoProto *input : inputs)
    if (name == StringRef(input->name()))
      return input;
  return nullptr;
}

Error DimNames::unknownInput(StringRef option, StringRef name) const {
  std::vector<StringRef> candidates;
  candidates.reserve(candidates.size() + inputs.size());
  for (const onnx::ValueInfoProto *input : inputs)
    candidates.push_back(input->name());
  return usage(option + ": the model has no input '" + name + "'" +
               suggest(name, candidates, "the inputs"));
}

Error DimNames::bind(StringRef name, int64_t value) {
  if (value < 0)
    return usage("--dim: '" + name + "' can't be " + Twine(value) +
                 ": sizes are not negative");
  auto [entry, isNew] = bindings.try_emplace(name.str(), value);
  if (!isNew && entry->second != value)
    return usage("'" + name + "' is given two sizes, " + Twine(entry->second) +
                 " and " + Twine(value));
  return Error::success();
}

Error DimNames::applyShapes(const ImportOptions &options) {
  for (const auto &[name, shape] : options.shapes)
    if (Error error = applyShape(name, shape))
      return error;
  return Error::success();
}

Error DimNames::applyShape(StringRef name, ArrayRef<int64_t> sizes) {
  const onnx::ValueInfoProto *input = findInput(name);
  if (!input)
    return unknownInput("--shape", name);
  const onnx::TensorShapeProto *shape = shapeOf(input->type());
  if (!shape) {
    for (int64_t size : sizes)
      if (size < 0)
        return usage("--shape: '" + name + "' can't have a size of " +
                     Twine(size));
    givenShapes[name.str()] = sizes.vec();
    return Error::success();
  }
  if (shape->dim_size() != static_cast<int>(sizes.size()))
    return usage("--shape: input '" + name + "' has " +
                 Twine(shape->dim_size()) + " dimensions, not " +
                 Twine(sizes.size()));
  for (auto [axis, dimension] : enumerate(shape->dim())) {
    int64_t size = sizes[axis];
    if (std::optional<int64_t> fixed = sizeOf(dimension)) {
      if (*fixed != size)
        return usage("--shape: input '" + name + "' has a fixed size of " +
                     Twine(*fixed) + " on axis " + Twine(axis) + ", not " +
                     Twine(size));
      continue;
    }
    StringRef dimName = nameOf(dimension);
    std::string place = placeName(name, axis);
    if (Error error = bind(dimName.empty() ? StringRef(place) : dimName, size))
      return error;
  }
  return Error::success();
}

Error DimNames::applyDims(const ImportOptions &options) {
  std::optional<StringSet<>> all;
  for (const auto &[name, value] : options.dims) {
    if (inputNames.contains(name)) {
      if (Error error = bind(name, value))
        return error;
      continue;
    }
    if (StringRef(name).ends_with("]")) {
      if (Error error = applyPlace(name, value))
        return error;
      continue;
    }
    if (!all)
      all = allNames();
    // A trip count that stays unknown is called after its input or its node.
    if (!all->contains(name) && !findInput(name) &&
        !StringRef(name).starts_with("trips("))
      return unknownDim(name);
    if (Error error = bind(name, value))
      return error;
  }
  return Error::success();
}

/// `--dim INPUT[AXIS]=N`.
Error DimNames::applyPlace(StringRef name, int64_t value) {
  auto [inputName, axisText] = name.drop_back().rsplit('[');
  const onnx::ValueInfoProto *input = findInput(inputName);
  unsigned axis;
  if (!input || !to_integer(axisText, axis, 10))
    return input ? usage("--dim: '" + name + "' has no axis number")
                 : unknownInput("--dim", inputName);
  const onnx::TensorShapeProto *shape = shapeOf(input->type());
  if (!shape)
    return usage("--dim: the rank of input '" + inputName +
                 "' isn't known; give its shape as --shape " + inputName +
                 "=2x3x4");
  if (axis >= static_cast<unsigned>(shape->dim_size()))
    return usage("--dim: input '" + inputName + "' has " +
                 Twine(shape->dim_size()) + " dimensions, so no axis " +
                 Twine(axis));
  const Dimension &dimension = shape->dim(axis);
  if (std::optional<int64_t> fixed = sizeOf(dimension)) {
    if (*fixed == value)
      return Error::success();
    return usage("--dim: '" + name + "' has a fixed size of " + Twine(*fixed));
  }
  StringRef dimName = nameOf(dimension);
  return bind(dimName.empty() ? name : dimName, value);
}

Error DimNames::unknownDim(StringRef name) const {
  StringSet<> known;
  for (const auto &entry : inputNames)
    known.insert(entry.getKey());
  std::vector<std::string> places;
  for (const onnx::ValueInfoProto *input : inputs)
    if (const onnx::TensorShapeProto *shape = shapeOf(input->type()))
      for (auto [axis, dimension] : enumerate(shape->dim()))
        if (!sizeOf(dimension) && nameOf(dimension).empty())
          known.insert(placeName(input->name(), axis));
  std::vector<StringRef> candidates(known.keys().begin(), known.keys().end());
  sort(candidates);
  return usage("--dim: the model has no dimension '" + name + "'" +
               suggest(name, candidates, "the dimensions"));
}

// --- All names, for a `--dim` that no input's dimension explains -------------

static void collect(const onnx::TypeProto &type, StringSet<> &names) {
  if (const onnx::TensorShapeProto *shape = shapeOf(type))
    for (const Dimension &dimension : shape->dim())
      if (StringRef name = nameOf(dimension); !name.empty())
        names.insert(name);
  if (type.has_sequence_type())
    collect(type.sequence_type().elem_type(), names);
  if (type.has_optional_type())
    collect(type.optional_type().elem_type(), names);
}

static void collect(const onnx::GraphProto &graph, StringSet<> &names) {
  for (const auto *values :
       {&graph.input(), &graph.output(), &graph.value_info()})
    for (const onnx::ValueInfoProto &value : *values)
      collect(value.type(), names);
  for (const onnx::NodeProto &node : graph.node())
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        collect(attribute.g(), names);
      for (const onnx::GraphProto &inner : attribute.graphs())
        collect(inner, names);
    }
}

/// The names that a formula is made of; nothing where it is none.
static std::optional<std::set<std::string>> partsOf(StringRef name) {
  if (name.find_first_of("+-*/%( ") == StringRef::npos)
    return std::nullopt;
  Expected<Expr> formula = Expr::parse(name);
  if (!formula) {
    consumeError(formula.takeError());
    return std::nullopt;
  }
  std::set<std::string> parts;
  formula->collectSymbols(parts);
  return parts;
}

StringSet<> DimNames::allNames() const {
  StringSet<> names;
  collect(model.graph(), names);
  for (const onnx::FunctionProto &function : model.functions())
    for (const onnx::ValueInfoProto &value : function.value_info())
      collect(value.type(), names);
  // `past` may be bound where only `past + 1` occurs.
  std::vector<std::string> parts;
  for (const auto &entry : names)
    if (auto found = partsOf(entry.getKey()))
      parts.insert(parts.end(), found->begin(), found->end());
  for (const std::string &part : parts)
    names.insert(part);
  return names;
}

// --- Meaning -----------------------------------------------------------------

Expr DimNames::named(StringRef name) {
  auto [entry, isNew] = meanings.try_emplace(name);
  if (!isNew)
    return entry->second;
  auto binding = [&](StringRef symbol) -> std::optional<Expr> {
    auto found = bindings.find(symbol.str());
    return found == bindings.end() ? std::nullopt
                                   : std::optional<Expr>(found->second);
  };
  Expr meaning = Expr::symbol(name);
  if (std::optional<Expr> whole = binding(name)) {
    meaning = *whole;
  } else if (auto parts = partsOf(name);
             parts && !parts->empty() &&
             all_of(*parts, [&](const std::string &part) {
               return inputNames.contains(part) || bindings.count(part);
             })) {
    meaning = cantFail(Expr::parse(name)).substitute(binding);
  }
  return entry->second = meaning;
}

MaybeDim DimNames::dim(const Dimension &dimension) {
  if (std::optional<int64_t> size = sizeOf(dimension))
    return Expr(*size);
  StringRef name = nameOf(dimension);
  if (name.empty())
    return std::nullopt;
  return named(name);
}

std::optional<SmallVector<MaybeDim, 4>>
DimNames::inputDims(const onnx::ValueInfoProto &input) {
  SmallVector<MaybeDim, 4> dims;
  const onnx::TensorShapeProto *shape = shapeOf(input.type());
  if (!shape) {
    auto given = givenShapes.find(input.name());
    if (given == givenShapes.end())
      return std::nullopt;
    for (int64_t size : given->second)
      dims.push_back(Expr(size));
    return dims;
  }
  for (auto [axis, dimension] : enumerate(shape->dim())) {
    MaybeDim known = dim(dimension);
    dims.push_back(known ? *known : named(placeName(input.name(), axis)));
  }
  return dims;
}
