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

/// $XDG_CONFIG_HOME/etalon, else ~/.config/etalon; may not exist. Empty where neither variable tells; so the two below.
std::filesystem::path config_folder();
/// $XDG_STATE_HOME/etalon, else ~/.local/state/etalon.
std::filesystem::path state_folder();
/// $XDG_CACHE_HOME/etalon, else ~/.cache/etalon.
std::filesystem::path cache_folder();

}  // namespace etalon::base
