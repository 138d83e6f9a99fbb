// SPDX-License-Identifier: Apache-2.0
// A model described by the config.json that transformers publishes beside its weights. Needs no torch; the text may be
// hostile: every setting that would change the arithmetic is understood or refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/json.h"
#include "worker/models/llama_config.h"

namespace etalon::models {

/// Llama and Qwen2 architectures. `place` opens every message. Throws worker::Failure ("data" for what is wrong,
/// "unsupported" for what is right and not served) or base::Error (not JSON).
LlamaConfig parse_config(std::string_view text, const std::string& place);

/// Of the file, or of the config.json in the folder; the model is then called by the path.
LlamaConfig read_config(const std::filesystem::path& path);

/// A catalogue's name; or a path, which contains a '/' or ends in ".json".
LlamaConfig find_config(const std::string& name_or_path);

/// What transformers reads back as the same model.
base::Json config_document(const LlamaConfig& config);

}  // namespace etalon::models
