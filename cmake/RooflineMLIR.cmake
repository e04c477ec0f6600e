# Finds LLVM and MLIR 22 and sets up the flags that code against them needs.

find_program(ROOFLINE_LLVM_CONFIG NAMES llvm-config-22)
if(ROOFLINE_LLVM_CONFIG AND NOT MLIR_DIR)
  execute_process(COMMAND ${ROOFLINE_LLVM_CONFIG} --prefix
    OUTPUT_VARIABLE llvm_prefix OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(MLIR_DIR "${llvm_prefix}/lib/cmake/mlir" CACHE PATH "MLIR's CMake package")
endif()
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")

set(MLIR_LINK_MLIR_DYLIB ON) # not exported by MLIRConfig
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_ENABLE_ASSERTIONS OFF)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})
# libMLIR was built with it, and llvm::Statistic has another size without it.
add_compile_definitions(NDEBUG)
