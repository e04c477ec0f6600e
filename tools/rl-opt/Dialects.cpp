//===- Dialects.cpp - what rl-opt can read --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"

void roofline::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<
      rl::RLDialect, mlir::affine::AffineDialect, mlir::arith::ArithDialect,
      mlir::bufferization::BufferizationDialect, mlir::cf::ControlFlowDialect,
      mlir::complex::ComplexDialect, mlir::DLTIDialect, mlir::func::FuncDialect,
      mlir::index::IndexDialect, mlir::linalg::LinalgDialect,
      mlir::math::MathDialect, mlir::memref::MemRefDialect,
      mlir::ml_program::MLProgramDialect, mlir::quant::QuantDialect,
      mlir::scf::SCFDialect, mlir::shape::ShapeDialect,
      mlir::tensor::TensorDialect, mlir::tosa::TosaDialect, mlir::ub::UBDialect,
      mlir::vector::VectorDialect>();
  mlir::func::registerInlinerExtension(registry);
  registerModels(registry);
}
