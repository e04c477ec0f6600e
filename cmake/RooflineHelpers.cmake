# How the project's own libraries and programs are declared.

include(GNUInstallDirs)
set(ROOFLINE_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/Roofline")

set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# The sloppiness lets ccache keep what is built with a precompiled header.
find_program(ROOFLINE_CCACHE NAMES ccache)
if(ROOFLINE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros ${ROOFLINE_CCACHE})
endif()

# Everything of ours is instrumented, libMLIR and libonnx are not. vptr checks
# need the type information of classes that live in libMLIR.
if(ROOFLINE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_compile_options(${sanitizers})
  add_link_options(${sanitizers})
  set(source "${PROJECT_SOURCE_DIR}/cmake/sanitizer/Options.cpp")
  set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
  target_sources(RooflineLLVMDeps INTERFACE
    "$<BUILD_INTERFACE:$<${is_program}:${source}>>")
endif()

# What every target of the project is compiled with.
function(roofline_compile_options target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wno-unused-parameter
    -ffunction-sections -fdata-sections -fvisibility-inlines-hidden)
  if(ROOFLINE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endfunction()

include(RooflinePCH)

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
  roofline_finish_target(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${deps})
  if(NOT ARG_NO_INSTALL)
    set_property(GLOBAL APPEND PROPERTY ROOFLINE_LIBRARIES ${name})
  endif()
endfunction()

# roofline_add_executable(NAME source... [LLVM_ONLY] [EXCEPTIONS] [NO_INSTALL]
#                         [DEPENDS tablegen-target...] [LINK_LIBS library...])
function(roofline_add_executable name)
  cmake_parse_arguments(ARG "LLVM_ONLY;EXCEPTIONS;NO_INSTALL" ""
                        "DEPENDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  # Compiled like the libraries (-fPIC, not -fPIE), or the compiler refuses the
  # precompiled header.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  roofline_finish_target(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${deps})
  if(ROOFLINE_STATIC)
    # Wholly static and at a fixed address: nothing is loaded or relocated at
    # the start, which takes 0.8 ms instead of 1.2 ms.
    target_link_options(${name} PRIVATE -fuse-ld=lld -static
      -Wl,--gc-sections -Wl,--icf=all -Wl,--strip-all)
  endif()
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME)
  endif()
endfunction()

# roofline_add_fuzzer(NAME source... [EXCEPTIONS] [LINK_LIBS library...])
#
# A libFuzzer program; only where everything of ours is instrumented.
function(roofline_add_fuzzer name)
  if(ROOFLINE_SANITIZE)
    roofline_add_executable(${name} ${ARGN} NO_INSTALL)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()

# The part that libraries and programs share. Sets `deps` for the caller.
macro(roofline_finish_target name)
  roofline_compile_options(${name})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE -fno-exceptions)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_LLVM_ONLY)
    set(deps RooflineLLVMDeps)
  else()
    set(deps RooflineMLIRDeps)
    if(ARG_EXCEPTIONS)
      roofline_use_pch(${name} RooflineONNXPCH)
    else()
      roofline_use_pch(${name} RooflinePCH)
    endif()
  endif()
endmacro()

# add_subdirectory for each folder that is there: a build can leave a layer out.
function(roofline_add_subdirectories)
  foreach(dir ${ARGN})
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt")
      add_subdirectory(${dir})
    endif()
  endforeach()
endfunction()
