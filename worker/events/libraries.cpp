// SPDX-License-Identifier: Apache-2.0
// Reads the process's own mappings.
#include "worker/events/libraries.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "worker/failure.h"
#include "worker/libtorch_version.h"

namespace etalon::events {
namespace {

/// Changes whenever the file's content may have; empty when the file is gone.
std::string identity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return {};
  }
  const auto time = [](const timespec& moment) {
    return std::to_string(moment.tv_sec) + "." + std::to_string(moment.tv_nsec);
  };
  return path + "|" + std::to_string(status.st_dev) + "|" + std::to_string(status.st_ino) + "|" +
         std::to_string(status.st_size) + "|" + time(status.st_mtim) + "|" + time(status.st_ctim);
}

void hash_all(std::vector<wire::Library>& libraries) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t index = next++; index < libraries.size(); index = next++) {
      try {
        libraries[index].sha256 = base::sha256_file(libraries[index].path);
      } catch (const base::Error&) {
        libraries[index].sha256.clear();  // deleted or replaced while mapped: its path alone is known
      }
    }
  };
  std::vector<std::jthread> threads;
  const std::size_t helpers = std::min<std::size_t>(libraries.size(), std::thread::hardware_concurrency());
  for (std::size_t count = 1; count < helpers; ++count) {
    threads.emplace_back(work);
  }
  work();
}

}  // namespace

std::vector<std::string> mapped_libraries(const std::filesystem::path& maps) {
  std::ifstream file(maps);
  std::set<std::string> paths;
  for (std::string line; std::getline(file, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && line.find(".so", path) != std::string::npos) {
      paths.insert(line.substr(path));
    }
  }
  return {paths.begin(), paths.end()};
}

LibraryHashes::LibraryHashes(std::filesystem::path cache) : cache_(std::move(cache)) { load(); }

std::filesystem::path LibraryHashes::default_cache() {
  const std::filesystem::path folder = base::cache_folder();
  return folder.empty() ? folder : folder / "library_hashes.json";
}

void LibraryHashes::load() {
  try {
    const base::Json stored = base::parse_json(base::read_file(cache_), cache_.string());
    for (const auto& [file, hash] : stored.items()) {
      known_[file] = hash.get<std::string>();
    }
  } catch (const std::exception&) {
    known_.clear();  // no cache yet, or not one of ours: everything is hashed anew
  }
}

void LibraryHashes::store() const {
  base::Json stored = base::Json::object();
  for (const auto& [file, hash] : known_) {
    if (identity(file.substr(0, file.find('|'))) == file) {
      stored[file] = hash;
    }
  }
  try {
    std::filesystem::create_directories(cache_.parent_path());
    base::replace_file(cache_, base::to_document(stored));
  } catch (const std::exception&) {
    return;  // a home that cannot be written is no reason to stop
  }
}

std::vector<wire::Library> LibraryHashes::new_libraries(const std::vector<std::string>& mapped) {
  std::vector<wire::Library> unknown;
  std::vector<std::string> fresh;
  for (const std::string& path : mapped) {
    if (!returned_.contains(path)) {
      fresh.push_back(path);
      if (!known_.contains(identity(path))) {
        unknown.push_back({path, ""});
      }
    }
  }
  hash_all(unknown);
  for (const wire::Library& library : unknown) {
    if (const std::string file = identity(library.path); !file.empty() && !library.sha256.empty()) {
      known_[file] = library.sha256;
    }
  }
  if (!unknown.empty() && !cache_.empty()) {
    store();
  }
  std::vector<wire::Library> libraries;
  for (const std::string& path : fresh) {
    const auto found = known_.find(identity(path));
    libraries.push_back({path, found == known_.end() ? "" : found->second});
    returned_[path] = libraries.back().sha256;
  }
  return libraries;
}

std::filesystem::path torch_library_folder() {
  for (const std::string& path : mapped_libraries()) {
    if (path.ends_with("/libtorch_cpu.so")) {
      return std::filesystem::path(path).parent_path();
    }
  }
  throw worker::Failure("internal", "libtorch_cpu.so is not among this process's libraries",
                        "build the worker again: ./bootstrap build");
}

std::filesystem::path torch_package_folder() { return torch_library_folder().parent_path(); }

std::map<std::string, std::string> torch_versions() {
  std::map<std::string, std::string> versions{{"pytorch", worker::built_with_libtorch()}};
  std::ifstream file(torch_package_folder() / "version.py");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string_view> parts = base::split(line, '\'');  // name = 'value'
    if (parts.size() != 3) {
      continue;
    }
    for (const auto& [word, component] : {std::pair{"__version__", "pytorch"}, std::pair{"cuda", "cuda"}}) {
      if (line.starts_with(word)) {
        versions[component] = parts[1];
      }
    }
  }
  return versions;
}

}  // namespace etalon::events
