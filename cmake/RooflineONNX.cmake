# Finds the ONNX C++ library that scripts/setup built into .deps.

set(ROOFLINE_DEPS "${PROJECT_SOURCE_DIR}/.deps" CACHE PATH
    "Where scripts/setup puts what it builds")
set(Protobuf_USE_STATIC_LIBS ON)
find_package(ONNX 1.23.2 EXACT REQUIRED CONFIG
  PATHS "${ROOFLINE_DEPS}/onnx" NO_DEFAULT_PATH)
