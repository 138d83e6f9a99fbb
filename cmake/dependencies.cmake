# SPDX-License-Identifier: Apache-2.0
# Libraries of the controller: the system's packages, nothing fetched.
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost REQUIRED CONFIG)
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
find_path(VALIJSON_INCLUDE valijson/validator.hpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
add_library(etalon_toml INTERFACE)
target_include_directories(etalon_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})
