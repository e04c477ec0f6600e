# Finds LLVM and MLIR 22.1 and defines what code against them links:
#   RooflineLLVMDeps  LLVM's Support and ADT, for layers that know no MLIR
#   RooflineMLIRDeps  all of MLIR
# Both name Debian's shared libraries, or with ROOFLINE_STATIC the archives.

find_program(ROOFLINE_LLVM_CONFIG NAMES llvm-config-22)
if(ROOFLINE_LLVM_CONFIG AND NOT MLIR_DIR)
  execute_process(COMMAND ${ROOFLINE_LLVM_CONFIG} --prefix
    OUTPUT_VARIABLE llvm_prefix OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(MLIR_DIR "${llvm_prefix}/lib/cmake/mlir" CACHE PATH "MLIR's CMake package")
endif()
find_package(MLIR CONFIG)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR
    "MLIR 22.1 was not found: run scripts/setup, or set MLIR_DIR")
endif()
if(NOT LLVM_PACKAGE_VERSION VERSION_GREATER_EQUAL 22.1
   OR NOT LLVM_PACKAGE_VERSION VERSION_LESS 22.2)
  message(FATAL_ERROR
    "MLIR 22.1 is needed, ${MLIR_DIR} is ${LLVM_PACKAGE_VERSION}: run scripts/setup")
endif()
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")

set(MLIR_LINK_MLIR_DYLIB ON) # not exported by MLIRConfig
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})
# libMLIR was built with it, and llvm::Statistic has another size without it.
# Not left to the build type: Debug and own types don't define it.
add_compile_definitions(NDEBUG)

# zlib by itself, for what LLVM's wrapper doesn't read: a shared LLVM hides it.
find_library(ROOFLINE_ZLIB NAMES libz.a REQUIRED)
find_library(ROOFLINE_SQLITE NAMES libsqlite3.a) # profiles; optional
add_library(RooflineLLVMDeps INTERFACE)
add_library(RooflineMLIRDeps INTERFACE)
if(ROOFLINE_STATIC)
  # The imported targets pull in the shared LLVM, so the archives are named by
  # path. lld takes them in any order and only what is referenced.
  file(GLOB roofline_mlir_archives "${LLVM_LIBRARY_DIR}/libMLIR*.a")
  list(FILTER roofline_mlir_archives EXCLUDE REGEX "libMLIR(CAPI|.*Test|Test)")
  file(GLOB roofline_llvm_archives "${LLVM_LIBRARY_DIR}/libLLVM*.a")
  find_library(ROOFLINE_ZSTD NAMES libzstd.a REQUIRED)
  set(roofline_llvm_archives ${roofline_llvm_archives} ${ROOFLINE_ZLIB}
      ${ROOFLINE_ZSTD} -lpthread -ldl -lm)
  target_link_libraries(RooflineLLVMDeps INTERFACE
    "$<BUILD_INTERFACE:${roofline_llvm_archives}>" "$<INSTALL_INTERFACE:LLVM>")
  target_link_libraries(RooflineMLIRDeps INTERFACE
    "$<BUILD_INTERFACE:${roofline_mlir_archives};${roofline_llvm_archives}>"
    "$<INSTALL_INTERFACE:MLIR;LLVM>")
else()
  target_link_libraries(RooflineLLVMDeps INTERFACE LLVM)
  target_link_libraries(RooflineMLIRDeps INTERFACE MLIR LLVM)
endif()
