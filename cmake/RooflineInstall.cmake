# Installs the libraries, headers and the CMake package: find_package(Roofline)
# gives Roofline::Roofline, which links all of it.

include(CMakePackageConfigHelpers)

get_property(roofline_libraries GLOBAL PROPERTY ROOFLINE_LIBRARIES)
add_library(Roofline INTERFACE)
add_library(Roofline::Roofline ALIAS Roofline)
target_link_libraries(Roofline INTERFACE ${roofline_libraries})

install(TARGETS Roofline ${roofline_libraries} RooflineLLVMDeps RooflineMLIRDeps
  EXPORT RooflineTargets ARCHIVE)
install(EXPORT RooflineTargets NAMESPACE Roofline::
  DESTINATION ${ROOFLINE_INSTALL_CMAKEDIR})

# Headers, those that TableGen writes and the TableGen files themselves.
install(DIRECTORY include/roofline ${PROJECT_BINARY_DIR}/include/roofline
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
  PATTERN "CMakeFiles" EXCLUDE)

set(ROOFLINE_INSTALLED_ONNX OFF)
if(ROOFLINE_ONNX)
  set(ROOFLINE_INSTALLED_ONNX ON)
  install(FILES "${roofline_onnx_root}/lib/libonnx.a"
                "${roofline_onnx_root}/lib/libonnx_proto.a"
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/roofline)
  install(FILES cmake/RooflineONNXTargets.cmake
    DESTINATION ${ROOFLINE_INSTALL_CMAKEDIR})
endif()
configure_package_config_file(cmake/RooflineConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RooflineConfig.cmake
  INSTALL_DESTINATION ${ROOFLINE_INSTALL_CMAKEDIR}
  PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RooflineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RooflineConfig.cmake
              ${PROJECT_BINARY_DIR}/RooflineConfigVersion.cmake
  DESTINATION ${ROOFLINE_INSTALL_CMAKEDIR})
