# ONNX's imported targets, for the build and for the installed package.

function(roofline_define_onnx_targets libdir includedir)
  if(TARGET ONNX::onnx)
    return()
  endif()
  add_library(ONNX::onnx_proto STATIC IMPORTED GLOBAL)
  set_target_properties(ONNX::onnx_proto PROPERTIES
    IMPORTED_LOCATION "${libdir}/libonnx_proto.a"
    INTERFACE_COMPILE_DEFINITIONS "ONNX_NAMESPACE=onnx;ONNX_ML=1"
    INTERFACE_LINK_LIBRARIES
      "${ROOFLINE_PROTOBUF};${ROOFLINE_ZLIB};Threads::Threads")
  if(includedir)
    set_target_properties(ONNX::onnx_proto PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${includedir}")
  endif()
  add_library(ONNX::onnx STATIC IMPORTED GLOBAL)
  set_target_properties(ONNX::onnx PROPERTIES
    IMPORTED_LOCATION "${libdir}/libonnx.a"
    INTERFACE_LINK_LIBRARIES ONNX::onnx_proto)
endfunction()
