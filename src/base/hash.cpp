// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/error.h"

namespace etalon::base {

namespace {

std::string finish(crypto_hash_sha256_state& state) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256_final(&state, digest.data());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text;
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

}  // namespace

std::string sha256(std::string_view bytes) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return finish(state);
}

std::string sha256_base64(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)> text;
  sodium_bin2base64(text.data(), text.size(), digest.data(), digest.size(), sodium_base64_VARIANT_ORIGINAL);
  return text.data();
}

std::string sha256_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw system_error("read", path.string(), errno, ExitCode::usage);
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::vector<unsigned char> block(1 << 20);
  ssize_t count = 0;
  while ((count = ::read(descriptor, block.data(), block.size())) > 0)
    crypto_hash_sha256_update(&state, block.data(), static_cast<std::size_t>(count));
  const int error_number = errno;
  ::close(descriptor);
  if (count < 0) throw system_error("read", path.string(), error_number, ExitCode::usage);
  return finish(state);
}

}  // namespace etalon::base
