// SPDX-License-Identifier: Apache-2.0
// Where étalon finds its own things, whether it runs from a checkout or installed.
#pragma once

#include <filesystem>

namespace etalon::base {

/// The running executable (/proc/self/exe).
std::filesystem::path executable_path();

/// The repository, when the executable lies in <repository>/build*/…/bin; else empty.
std::filesystem::path source_root();

/// <prefix>/share/etalon of the installation that the executable lies in; may not exist.
std::filesystem::path share_folder();

/// $XDG_CONFIG_HOME/etalon, else ~/.config/etalon; may not exist.
std::filesystem::path config_folder();

}  // namespace etalon::base
