//===- NodeLocStorage.h - how locations of nodes are kept -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model of a million nodes has a million of these to make unique, each of
// them new. They are written out for the sake of their hash.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_DIALECT_RL_NODELOCSTORAGE_H
#define ROOFLINE_LIB_DIALECT_RL_NODELOCSTORAGE_H

#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/Location.h"

namespace roofline::rl::detail {

struct NodeLocAttrStorage : mlir::AttributeStorage {
  using Strings = llvm::ArrayRef<llvm::StringRef>;
  using Position = std::optional<unsigned>;
  /// The position first: of two locations that meet in a table, it differs.
  using KeyTy =
      std::tuple<Position, llvm::StringRef, Strings, mlir::LocationAttr>;

  static KeyTy getKey(llvm::StringRef name, Strings results, Position position,
                      mlir::LocationAttr file) {
    return {position, name, results, file};
  }

  KeyTy getAsKey() const { return {position, name, results, file}; }
  bool operator==(const KeyTy &key) const { return getAsKey() == key; }

  /// A new entry is compared with each that it meets in MLIR's table, and in a
  /// large model those are far away in memory. By their positions nodes meet
  /// others that are near; but not by them alone, which a text may repeat.
  static unsigned hashKey(const KeyTy &key) {
    const auto &[position, name, results, file] = key;
    size_t hash = llvm::hash_combine(name, results, file);
    constexpr unsigned near = 1024;
    return position ? *position + unsigned(hash % near) : unsigned(hash);
  }

  static NodeLocAttrStorage *
  construct(mlir::AttributeStorageAllocator &allocator, const KeyTy &key) {
    const auto &[position, name, results, file] = key;
    llvm::SmallVector<llvm::StringRef, 2> copies;
    for (llvm::StringRef result : results)
      copies.push_back(allocator.copyInto(result));
    auto *storage =
        new (allocator.allocate<NodeLocAttrStorage>()) NodeLocAttrStorage;
    storage->name = allocator.copyInto(name);
    storage->results = allocator.copyInto(Strings(copies));
    storage->position = position;
    storage->file = file;
    return storage;
  }

  llvm::StringRef name;
  Strings results;
  Position position;
  mlir::LocationAttr file;
};

} // namespace roofline::rl::detail

#endif // ROOFLINE_LIB_DIALECT_RL_NODELOCSTORAGE_H
