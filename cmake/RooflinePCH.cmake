# Precompiled headers: MLIR's, and MLIR's with ONNX's for code with exceptions.
#
# A file that includes linalg and tosa takes 8 s of CPU without one and 0.2 s
# with it; building the header takes 11 s. Sources still include what they use:
# -DROOFLINE_PCH=OFF builds without.

option(ROOFLINE_PCH "Precompile the headers of MLIR and ONNX" ON)

set(roofline_mlir_headers
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/DLTI/DLTI.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Tosa/IR/TosaOps.h>
  <mlir/IR/DialectImplementation.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/Pass.h>)

# roofline_define_pch(NAME option... HEADERS header... [LINK_LIBS library...])
function(roofline_define_pch name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK_LIBS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch/RooflinePCH.cpp)
  roofline_compile_options(${name})
  # Without the time stamp ccache can keep it and what is built from it.
  target_compile_options(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS}
    "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
endfunction()

function(roofline_use_pch target pch)
  if(TARGET ${pch})
    target_precompile_headers(${target} REUSE_FROM ${pch})
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

if(ROOFLINE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  roofline_define_pch(RooflinePCH -fno-exceptions
    HEADERS ${roofline_mlir_headers})
  if(ROOFLINE_ONNX)
    roofline_define_pch(RooflineONNXPCH
      HEADERS ${roofline_mlir_headers}
        <onnx/onnx_pb.h> <onnx/defs/parser.h> <onnx/defs/schema.h>
        <onnx/shape_inference/implementation.h>
      LINK_LIBS ONNX::onnx)
  endif()
endif()
