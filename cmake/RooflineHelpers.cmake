# How the project's own libraries and programs are declared.

include(GNUInstallDirs)
set(ROOFLINE_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/Roofline")

set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# What every target of the project is compiled with.
function(roofline_compile_options target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wno-unused-parameter
    -ffunction-sections -fdata-sections -fvisibility-inlines-hidden)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endfunction()

# roofline_add_library(NAME source... [LLVM_ONLY] [EXCEPTIONS] [NO_INSTALL]
#                      [DEPENDS tablegen-target...] [LINK_LIBS library...])
#
# A static library. LLVM_ONLY is for the layers that must not know MLIR. LLVM
# is compiled without exceptions, so they are off unless EXCEPTIONS is given;
# who gives it catches them before they reach a frame of LLVM's.
function(roofline_add_library name)
  cmake_parse_arguments(ARG "LLVM_ONLY;EXCEPTIONS;NO_INSTALL" ""
                        "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Roofline::${name} ALIAS ${name})
  roofline_compile_options(${name})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE -fno-exceptions)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_LLVM_ONLY)
    target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} RooflineLLVMDeps)
  else()
    target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} RooflineMLIRDeps)
  endif()
  if(NOT ARG_NO_INSTALL)
    set_property(GLOBAL APPEND PROPERTY ROOFLINE_LIBRARIES ${name})
  endif()
endfunction()

# roofline_add_executable(NAME source... [EXCEPTIONS] [NO_INSTALL]
#                         [DEPENDS tablegen-target...] [LINK_LIBS library...])
function(roofline_add_executable name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_INSTALL" "" "DEPENDS;LINK_LIBS"
                        ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  roofline_compile_options(${name})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE -fno-exceptions)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} RooflineMLIRDeps)
  if(ROOFLINE_STATIC)
    target_link_options(${name} PRIVATE -fuse-ld=lld -Wl,--gc-sections
      -Wl,--icf=all -static-libstdc++ -static-libgcc)
  endif()
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME)
  endif()
endfunction()

# add_subdirectory for each folder that is there: a build can leave a layer out.
function(roofline_add_subdirectories)
  foreach(dir ${ARGN})
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt")
      add_subdirectory(${dir})
    endif()
  endforeach()
endfunction()
