# SPDX-License-Identifier: Apache-2.0
# The CUDA language for worker/kernels, by the system's nvcc when its major version is torch's, else by the nvcc of the
# wheels beside torch. Without either the worker still runs on GPUs through ATen, without kernels of ours.

# etalon_nvcc_release(NVCC RESULT): "13.0" of a compiler, empty when it does not run.
function(etalon_nvcc_release nvcc result)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" matched "${said}")
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# etalon_find_nvcc(RESULT): the first nvcc whose CUDA major version is torch's; an explicit CMAKE_CUDA_COMPILER or CUDACXX wins.
function(etalon_find_nvcc result)
  find_program(ETALON_SYSTEM_NVCC nvcc PATHS /usr/local/cuda/bin)
  string(REGEX MATCH "^[0-9]+" wanted "${ETALON_TORCH_CUDA_VERSION}")
  foreach(candidate IN ITEMS "${CMAKE_CUDA_COMPILER}" "$ENV{CUDACXX}" "$ENV{CUDA_HOME}/bin/nvcc" "${ETALON_SYSTEM_NVCC}" "${ETALON_TORCH_NVCC}")
    if(EXISTS "${candidate}")
      etalon_nvcc_release(${candidate} release)
      if(release MATCHES "^${wanted}\\.")
        set(${result} ${candidate} PARENT_SCOPE)
        return()
      endif()
      message(STATUS "${candidate} (CUDA ${release}) does not fit PyTorch's CUDA ${ETALON_TORCH_CUDA_VERSION}")
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

set(ETALON_CUDA_ARCHITECTURES "9.0 12.0" CACHE STRING "compute capabilities that the kernels are built for, as in \"9.0 12.0\"")
string(REPLACE "." "" architectures "${ETALON_CUDA_ARCHITECTURES}")
string(REGEX REPLACE "[ ,;]+" ";" CMAKE_CUDA_ARCHITECTURES "${architectures}")

etalon_find_nvcc(nvcc)
if(nvcc)
  set(ETALON_CUDA_KERNELS ON)
  set(CMAKE_CUDA_COMPILER ${nvcc})
  set(CMAKE_CUDA_RUNTIME_LIBRARY None)  # the one that torch loads is linked by name below
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  if(CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  cmake_path(GET nvcc PARENT_PATH binaries)
  if(EXISTS ${binaries}/../lib/libcudadevrt.a)  # nvcc looks in lib64, its wheels have the libraries in lib
    string(APPEND CMAKE_CUDA_FLAGS " -L${binaries}/../lib")
  endif()
  enable_language(CUDA)
else()
  set(ETALON_CUDA_KERNELS OFF)
  message(STATUS "No nvcc for CUDA ${ETALON_TORCH_CUDA_VERSION}: the worker is built without CUDA kernels of its own")
endif()

# Headers and runtime of the wheels that torch was installed with; a torch from elsewhere uses the system's toolkit.
set(ETALON_CUDA_INCLUDES ${ETALON_TORCH_CUDA_INCLUDES})
find_library(ETALON_CUDART NAMES cudart libcudart.so.13 libcudart.so.12
  PATHS ${ETALON_TORCH_CUDA_LIBRARIES} NO_DEFAULT_PATH)
if(NOT ETALON_CUDA_INCLUDES OR NOT ETALON_CUDART)
  find_package(CUDAToolkit REQUIRED)
  set(ETALON_CUDA_INCLUDES ${CUDAToolkit_INCLUDE_DIRS})
  set(ETALON_CUDART ${CUDA_cudart_LIBRARY})
endif()
# cuDNN's graph headers: from their wheel beside torch, or the system's. Without them the fused execution has no GPU part.
file(GLOB bootstrapped ${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/include)
find_path(ETALON_CUDNN_FRONTEND cudnn_frontend.h HINTS ${ETALON_TORCH_ROOT}/../include ${bootstrapped})
if(NOT ETALON_CUDNN_FRONTEND)
  message(STATUS "No cudnn_frontend.h: the fused execution is built for the CPU alone")
endif()
add_library(etalon_torch::cudart SHARED IMPORTED GLOBAL)
set_target_properties(etalon_torch::cudart PROPERTIES IMPORTED_LOCATION ${ETALON_CUDART})
# nvcc brings the headers of its own release for .cu files.
target_include_directories(etalon_torch::cudart SYSTEM INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${ETALON_CUDA_INCLUDES}>)
