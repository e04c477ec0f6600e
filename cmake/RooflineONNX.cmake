# Finds the ONNX C++ library that scripts/setup built into .deps and defines
# ONNX::onnx (schemas, inference, parser) and ONNX::onnx_proto.
#
# ONNX's own package asks for a CMake package of protobuf, which Debian doesn't
# ship; the targets are few enough to be named here.

set(roofline_onnx_version 1.23.2)
set(roofline_onnx_root "${ROOFLINE_DEPS}/onnx")
set(roofline_onnx_version_file
    "${roofline_onnx_root}/lib/cmake/ONNX/ONNXConfigVersion.cmake")
if(NOT EXISTS "${roofline_onnx_version_file}")
  message(FATAL_ERROR
    "ONNX ${roofline_onnx_version} is not in ${roofline_onnx_root}: run "
    "scripts/setup, or build without the importer (-DROOFLINE_ONNX=OFF)")
endif()
include("${roofline_onnx_version_file}") # sets PACKAGE_VERSION
if(NOT PACKAGE_VERSION VERSION_EQUAL roofline_onnx_version)
  message(FATAL_ERROR "ONNX ${roofline_onnx_version} is needed, "
    "${roofline_onnx_root} holds ${PACKAGE_VERSION}: run scripts/setup")
endif()

# Always the archive: protobuf's shared library costs start-up time and would
# tie an installed rl-opt to one Debian release.
find_library(ROOFLINE_PROTOBUF NAMES libprotobuf.a REQUIRED)
find_library(ROOFLINE_ZLIB NAMES libz.a REQUIRED)
find_package(Threads REQUIRED)

include("${CMAKE_CURRENT_LIST_DIR}/RooflineONNXTargets.cmake")
roofline_define_onnx_targets("${roofline_onnx_root}/lib"
                             "${roofline_onnx_root}/include")
