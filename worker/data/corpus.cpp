// SPDX-License-Identifier: Apache-2.0
// Reads the corpora; everything that can be missing or too large ends in a Failure of kind "data".
#include "worker/data/corpus.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 30;  // a corpus is held in memory

std::string read(const std::filesystem::path& path) {
  try {
    return base::read_file(path, most_bytes);
  } catch (const base::Error& error) {
    throw worker::Failure("data", error.what(), error.next_step());
  }
}

void add_document(Text& text, const std::string& document) {
  text.bytes += document;
  text.document_ends.push_back(text.bytes.size());
}

std::vector<std::string> python_sources(const std::filesystem::path& folder) {
  std::vector<std::string> sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".py" && entry.is_regular_file()) {
      sources.push_back(entry.path().lexically_relative(folder).generic_string());
    }
  }
  std::erase(sources, "version.py");
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace

Corpus read_torch_source(const std::filesystem::path& torch_folder) {
  std::vector<std::string> sources;
  try {
    sources = python_sources(torch_folder);
  } catch (const std::filesystem::filesystem_error& error) {
    throw worker::Failure("data", std::string("cannot list the Python sources of torch: ") + error.what(),
                          "use data.source = \"text:FILE\" with a text of your own");
  }
  if (static_cast<std::int64_t>(sources.size()) < held_out_every) {
    throw worker::Failure("data",
                          "only " + std::to_string(sources.size()) + " Python sources in " + torch_folder.string(),
                          "use data.source = \"text:FILE\", or the PyTorch wheel from PyPI, which brings its sources");
  }
  Corpus corpus;
  corpus.files = static_cast<std::int64_t>(sources.size());
  std::string everything;
  for (std::size_t index = 0; index < sources.size(); ++index) {
    const std::string text = read(torch_folder / sources[index]);
    everything += text;
    add_document(static_cast<std::int64_t>(index) % held_out_every == 0 ? corpus.held_out : corpus.training, text);
  }
  corpus.sha256 = base::sha256(everything);
  return corpus;
}

Corpus read_text(const std::filesystem::path& file) {
  Corpus corpus;
  corpus.files = 1;
  add_document(corpus.training, read(file));
  corpus.sha256 = base::sha256(corpus.training.bytes);
  return corpus;
}

}  // namespace etalon::data
