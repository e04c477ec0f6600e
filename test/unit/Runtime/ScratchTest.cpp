//===- ScratchTest.cpp - memory that kernels take and give back
//------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

using namespace roofline::runtime;

namespace {

bool isZero(const void *memory, size_t bytes) {
  return llvm::all_of(llvm::ArrayRef(static_cast<const char *>(memory), bytes),
                      [](char byte) { return byte == 0; });
}

// A large block comes again with what was written there.
TEST(Scratch, ZerosWhatWasUsedBefore) {
  for (size_t bytes : {size_t(100), size_t(5) << 20}) {
    void *memory = scratchMalloc(bytes);
    ASSERT_TRUE(memory);
    std::memset(memory, 7, bytes);
    scratchFree(memory);
    void *again = scratchCalloc(bytes / 4, 4);
    ASSERT_TRUE(again);
    EXPECT_TRUE(isZero(again, bytes));
    scratchFree(again);
  }
}

TEST(Scratch, HasNoMoreThanThereIs) {
  EXPECT_EQ(scratchMalloc(SIZE_MAX), nullptr);
  EXPECT_EQ(scratchCalloc(SIZE_MAX / 2, 3), nullptr); // the product overflows
  void *none = scratchCalloc(0, 8);
  EXPECT_TRUE(none);
  scratchFree(none);
  scratchFree(nullptr);
}

} // namespace
