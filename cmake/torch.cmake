# SPDX-License-Identifier: Apache-2.0
# LibTorch as imported targets of our own: torch's config asks for a whole CUDA toolkit, and its libraries lie differently
# in the CUDA 12 and 13 wheels. Gives etalon_torch, etalon_torch_precompile(), ETALON_TORCH_CUDA and, by cuda.cmake, ETALON_CUDA_KERNELS.

# etalon_find_torch(): asks the interpreter and sets ETALON_TORCH_{ROOT,VERSION,CUDA_VERSION,CUDA_INCLUDES,CUDA_LIBRARIES,NVCC} for the caller.
function(etalon_find_torch)
  set(python "${ETALON_PYTHON}")
  if(NOT python AND DEFINED ENV{ETALON_PYTHON})
    set(python "$ENV{ETALON_PYTHON}")
  elseif(NOT python)
    set(python ${PROJECT_SOURCE_DIR}/build/venv/bin/python)
  endif()
  execute_process(COMMAND ${python} ${PROJECT_SOURCE_DIR}/cmake/describe_torch.py
    OUTPUT_VARIABLE facts ERROR_VARIABLE reason RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "The worker needs PyTorch, and ${python} has none (${failed} ${reason}).\n"
      "Run ./bootstrap build, or set ETALON_PYTHON to a python with PyTorch 2.7 or newer, or configure with -DETALON_WORKER=OFF.")
  endif()
  string(REPLACE ";" "\\;" facts "${facts}")
  string(REPLACE "\n" ";" facts "${facts}")
  foreach(fact IN LISTS facts)
    string(REGEX MATCH "^([A-Z0-9_]+)=(.*)$" matched "${fact}")
    set(ETALON_TORCH_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    set(ETALON_TORCH_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
  if(ETALON_TORCH_VERSION VERSION_LESS 2.7)
    message(FATAL_ERROR "PyTorch ${ETALON_TORCH_VERSION} of ${python} is too old: the native worker needs 2.7 or newer "
      "(the fused optimisers and the C++11 ABI of the wheels).")
  elseif(ETALON_TORCH_HIP_VERSION)
    message(FATAL_ERROR "PyTorch ${ETALON_TORCH_VERSION} of ${python} is a ROCm build: AMD GPUs are not supported.")
  elseif(NOT ETALON_TORCH_CXX11_ABI)
    message(FATAL_ERROR "PyTorch ${ETALON_TORCH_VERSION} of ${python} was built with the old C++ ABI, which the system's libraries do not share.")
  endif()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ETALON_TORCH_ROOT}/version.py)
endfunction()

# etalon_torch_library(NAME [LINKS …]): the imported target etalon_torch::NAME of one library file.
function(etalon_torch_library name)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  add_library(etalon_torch::${name} SHARED IMPORTED GLOBAL)
  set_target_properties(etalon_torch::${name} PROPERTIES
    IMPORTED_LOCATION ${ETALON_TORCH_ROOT}/lib/lib${name}.so IMPORTED_SONAME lib${name}.so)
  target_include_directories(etalon_torch::${name} SYSTEM INTERFACE
    ${ETALON_TORCH_ROOT}/include ${ETALON_TORCH_ROOT}/include/torch/csrc/api/include)
  target_link_libraries(etalon_torch::${name} INTERFACE ${arg_LINKS})
endfunction()

# etalon_torch_precompile(TARGET): compiles TARGET's C++ with the one precompiled ATen/ATen.h (3 s a file become 1 s).
function(etalon_torch_precompile target)
  etalon_reuse_precompiled(${target} etalon_torch_precompiled)
endfunction()

etalon_find_torch()
set(ETALON_TORCH_CUDA OFF)
if(ETALON_TORCH_CUDA_VERSION AND EXISTS ${ETALON_TORCH_ROOT}/lib/libtorch_cuda.so)
  set(ETALON_TORCH_CUDA ON)
endif()

etalon_torch_library(c10)
etalon_torch_library(torch_cpu LINKS etalon_torch::c10)
add_library(etalon_torch INTERFACE)
target_link_libraries(etalon_torch INTERFACE etalon_torch::torch_cpu)
if(ETALON_TORCH_CUDA)
  include(cuda)
  etalon_torch_library(c10_cuda LINKS etalon_torch::c10)
  etalon_torch_library(torch_cuda LINKS etalon_torch::torch_cpu)
  target_include_directories(etalon_torch::c10_cuda SYSTEM INTERFACE ${ETALON_CUDA_INCLUDES})
  target_link_libraries(etalon_torch INTERFACE etalon_torch::c10_cuda etalon_torch::torch_cuda)
  # The CUDA backend registers itself when the library is loaded; no symbol of it need be used.
  target_link_options(etalon_torch INTERFACE LINKER:--no-as-needed)
endif()
# The libraries that torch's own libraries need are found through their run paths, which the linker does not follow.
target_link_options(etalon_torch INTERFACE LINKER:--allow-shlib-undefined LINKER:--unresolved-symbols=ignore-in-shared-libs)

etalon_precompiled_headers(etalon_torch_precompiled LINKS etalon_torch HEADERS <ATen/ATen.h>)

message(STATUS "PyTorch ${ETALON_TORCH_VERSION} in ${ETALON_TORCH_ROOT}; CUDA ${ETALON_TORCH_CUDA_VERSION}; kernels ${ETALON_CUDA_KERNELS} (${CMAKE_CUDA_COMPILER})")
