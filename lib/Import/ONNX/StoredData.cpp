//===- StoredData.cpp - does the file hold what it declares ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs come from declared shapes, so none of this is an error; but a file that
// contradicts itself, or comes without its weights, should be told of.
//
//===----------------------------------------------------------------------===//

#include "ExternalFile.h"
#include "TensorData.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

/// Warnings about one kind of tensor beyond this number are summed up.
constexpr unsigned maxWarnings = 10;

class StoredDataCheck {
public:
  StoredDataCheck(Model &model, const ImportOptions &options)
      : model(model), options(options) {}

  void run() {
    forEachGraph(*model.graph, [&](Graph &graph) {
      for (const Value &value : graph.values)
        if (value.tensor && seen.insert(value.tensor).second)
          check(value.name, *value.tensor);
    });
    reportFiles();
    if (empty > 0)
      warn(count(empty, "tensor") +
           " without data; their declared shapes and types are used");
    if (wrong > maxWarnings)
      warn(count(wrong - maxWarnings, "more tensor") +
           " whose stored and declared sizes disagree");
  }

private:
  struct File {
    std::vector<std::pair<StringRef, const onnx::TensorProto *>> tensors;
  };

  static std::string count(size_t n, StringRef what) {
    return std::to_string(n) + " " + what.str() + (n == 1 ? "" : "s");
  }

  void warn(const Twine &message) {
    model.warnings.push_back({"", message.str()});
  }

  void check(StringRef name, const onnx::TensorProto &tensor) {
    if (elementTypeOf(tensor.data_type()) == ElementType::Unknown) {
      warn("tensor '" + name + "' has the unknown data type " +
           Twine(tensor.data_type()) + "; its size isn't known");
      return;
    }
    if (std::optional<ExternalLocation> place = externalLocation(tensor)) {
      files[place->path].tensors.push_back({name, &tensor});
      return;
    }
    // Made from attributes or a sparse tensor: nothing is stored as declared.
    if (isMade(tensor))
      return;
    std::optional<Int> declared = declaredBytes(tensor);
    std::optional<uint64_t> stored = storedBytes(tensor);
    if (!declared || !stored || *declared == toInt(*stored))
      return;
    if (*stored == 0)
      ++empty;
    else if (++wrong <= maxWarnings)
      warn("tensor '" + name + "' stores " + Twine(*stored) + " bytes, " +
           typeText(tensor) + " needs " + toString(*declared) +
           "; the declared shape is used");
  }

  bool isMade(const onnx::TensorProto &tensor) {
    if (made.empty())
      for (const onnx::TensorProto &one : model.madeTensors)
        made.insert(&one);
    return made.contains(&tensor);
  }

  void reportFiles() {
    for (auto &[path, file] : files)
      reportFile(path, file);
  }

  void reportFile(StringRef path, const File &file) {
    std::string tensors = count(file.tensors.size(), "tensor");
    if (leavesFolder(path)) {
      warn("external data '" + path +
           "' lies outside the model's folder, refused (" + tensors + ")");
      return;
    }
    if (options.folder.empty()) {
      warn("read from standard input: external data '" + path +
           "' isn't looked for (" + tensors +
           "); declared shapes and types are used");
      return;
    }
    ExternalFile found = findExternalFile(options.folder, path);
    switch (found.status) {
    case ExternalFile::Refused:
      warn("external data '" + path +
           "' leads outside the model's folder by a symbolic link, refused (" +
           tensors + ")");
      return;
    case ExternalFile::Missing:
      warn("external data '" + path + "' isn't there (" + tensors +
           "); declared shapes and types are used");
      return;
    case ExternalFile::Present:
      reportShort(path, file, found.size);
      return;
    }
  }

  void reportShort(StringRef path, const File &file, uint64_t size) {
    size_t tooShort = 0, disagree = 0;
    StringRef firstShort, firstDisagree;
    for (const auto &[name, tensor] : file.tensors) {
      ExternalLocation place = *externalLocation(*tensor);
      std::optional<Int> declared = declaredBytes(*tensor);
      Int length =
          place.length ? toInt(*place.length) : declared.value_or(Int(0));
      if (toInt(place.offset) + length > toInt(size) && tooShort++ == 0)
        firstShort = name;
      if (declared && length != *declared && disagree++ == 0)
        firstDisagree = name;
    }
    if (tooShort > 0)
      warn("external data '" + path + "' is too short for " +
           count(tooShort, "tensor") + ", first '" + firstShort + "'");
    if (disagree > 0)
      warn("external data '" + path +
           "': stored and declared sizes disagree "
           "for " +
           count(disagree, "tensor") + ", first '" + firstDisagree + "'");
  }

  Model &model;
  const ImportOptions &options;
  DenseSet<const onnx::TensorProto *> seen, made;
  MapVector<StringRef, File> files;
  size_t empty = 0, wrong = 0;
};

} // namespace

void roofline::onnx_import::checkStoredData(Model &model,
                                            const ImportOptions &options) {
  StoredDataCheck(model, options).run();
}
