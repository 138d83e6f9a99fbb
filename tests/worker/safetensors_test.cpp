// SPDX-License-Identifier: Apache-2.0
// Files written byte by byte, round trips, several files with an index, and hostile headers.
#include "worker/models/safetensors.h"

#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "tests/worker/fixture.h"
#include "worker/failure.h"
#include "worker/models/llama.h"
#include "worker/models/weight_source.h"

namespace etalon {
namespace {

using worker_test::write;

/// A file of the format from its header's text and its data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  for (std::size_t index = 0; index < 8; ++index) bytes[index] = static_cast<char>(header.size() >> (8 * index) & 0xff);
  return bytes + header + data;
}

std::string bytes_of(std::initializer_list<float> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

TEST(Safetensors, ReadsAFileWrittenByteByByte) {
  const TemporaryFolder folder;
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[1,2],"data_offsets":[2,10]},)"
      R"("a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}})";
  const models::Checkpoint checkpoint(
      write(folder, "x.safetensors", file_of(header, std::string("\xc0\x3f", 2) + bytes_of({2.5F, -3}))));
  const at::Tensor scalar = at::zeros({}, at::kDouble);
  const at::Tensor matrix = at::zeros({1, 2}, at::kBFloat16);
  checkpoint.copy_into({"a", scalar});
  checkpoint.copy_into({"b", matrix});
  EXPECT_EQ(scalar.item<double>(), 1.5);
  EXPECT_TRUE(at::equal(matrix, at::tensor({2.5F, -3.0F}).view({1, 2}).to(at::kBFloat16)));
  EXPECT_EQ(checkpoint.description()["stored_as"], base::Json::parse(R"(["BF16","F32"])"));
}

TEST(Safetensors, WritesTheFormatsBytes) {
  const TemporaryFolder folder;
  models::save_safetensors(folder / "x.safetensors", {{"w", at::tensor({1.0F, 2.0F}, at::kFloat)}});
  const std::string text = R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string padded = text + std::string((8 - text.size() % 8) % 8, ' ');
  EXPECT_EQ(base::read_file(folder / "x.safetensors"), file_of(padded, bytes_of({1, 2})));
}

TEST(Safetensors, GivesBackWhatWasSavedToTheBit) {
  const TemporaryFolder folder;
  std::vector<models::NamedTensor> saved;
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble}) {
    saved.push_back({"t" + std::to_string(saved.size()), at::randn({5, 3}, at::kDouble).to(type)});
  }
  saved.push_back({"transposed", at::randn({4, 6}).t()});
  saved.push_back({"empty", at::zeros({0, 3})});
  models::save_safetensors(folder / "x.safetensors", saved);
  const models::Checkpoint checkpoint(folder / "x.safetensors");
  for (const models::NamedTensor& named : saved) {
    const at::Tensor read = at::zeros(named.tensor.sizes(), named.tensor.scalar_type());
    checkpoint.copy_into({named.name, read});
    EXPECT_TRUE(at::equal(read, named.tensor)) << named.name;
  }
}

/// Two files of one tensor each, and their index.
void write_shards(const TemporaryFolder& folder, const std::string& index) {
  models::save_safetensors(folder / "one.safetensors", {{"a", at::ones({2})}});
  models::save_safetensors(folder / "two.safetensors", {{"b", at::ones({3}) * 2}});
  write(folder, "model.safetensors.index.json", index);
}

TEST(Safetensors, ReadsSeveralFilesByTheirIndexAndHashesAllOfThem) {
  const TemporaryFolder folder;
  write_shards(folder,
               R"({"metadata": {"total_size": 20}, "weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  const models::Checkpoint checkpoint(folder.path());
  const at::Tensor b = at::zeros({3});
  checkpoint.copy_into({"b", b});
  EXPECT_TRUE(at::equal(b, at::full({3}, 2.0)));
  const std::string listing = base::sha256_file(folder / "one.safetensors") + "  one.safetensors\n" +
                              base::sha256_file(folder / "two.safetensors") + "  two.safetensors\n";
  EXPECT_EQ(checkpoint.description()["sha256"], base::sha256(listing));
  EXPECT_EQ(checkpoint.description()["files"], 2);
}

TEST(Safetensors, RefusesAnIndexThatDoesNotFitItsFilesOrLeavesTheFolder) {
  for (const char* map :
       {R"({"a": "two.safetensors", "b": "one.safetensors"})", R"({"a": "../one.safetensors"})",
        R"({"a": "/one.safetensors"})", R"({"a": 1})", R"([])", R"({"a": "one.bin"})", R"({"a": ".safetensors"})"}) {
    const TemporaryFolder folder;
    write_shards(folder, std::string("{\"weight_map\": ") + map + "}");
    EXPECT_THROW(models::Checkpoint{folder.path()}, worker::Failure) << map;
  }
}

std::string refusal(const std::string& file) {
  const TemporaryFolder folder;
  try {
    models::Checkpoint{write(folder, "x.safetensors", file)};
  } catch (const worker::Failure& failure) {
    EXPECT_EQ(failure.kind(), "data");
    return failure.what();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "read without complaint";
}

std::string refused_header(const std::string& header, std::size_t data_bytes) {
  return refusal(file_of(header, std::string(data_bytes, '\0')));
}

TEST(Safetensors, RefusesHostileHeadersWithTheTensorAndTheReason) {
  const std::pair<std::string, const char*> cases[] = {
      {refused_header(
           R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
           6),
       "\"b\" overlaps"},
      {refused_header(
           R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[6,10]}})",
           10),
       "\"b\" leaves a gap"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 9), "5 bytes at its end"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3), "outside the file's 3 bytes"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4), "outside"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})", 4), "outside"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0), "too large"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4), "take another number"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4), "whole numbers"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4), "whole numbers"},
      {refused_header(R"({"a":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", 4), "dtype \"F33\""},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", 4), "dimensions"},
      {refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}})", 4), "nothing else"},
      {refused_header(
           R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
           4),
       "twice"},
      {refused_header(R"({"__metadata__":{"format":1}})", 0), "no text"},
      {refused_header("[]", 0), "no object"},
      {refused_header("{", 0), "not valid JSON"},
      {refused_header(R"({"a":[[[[[]]]]]})", 0), "nested deeper"},
      {refusal("short"), "shorter than the 8 bytes"},
      {refusal(std::string(8, '\xff')), "announces a header"},
      {refusal(std::string("\x10\0\0\0\0\0\0\0{}", 10)), "announces a header of 16 bytes"},
      {refusal(""), "shorter"}};
  for (const auto& [message, expected] : cases) EXPECT_NE(message.find(expected), std::string::npos) << message;
}

TEST(Safetensors, RefusesAnotherShapeAnAbsentTensorAndIntegers) {
  const TemporaryFolder folder;
  const models::Checkpoint checkpoint(write(
      folder, "x.safetensors",
      file_of(
          R"({"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"i":{"dtype":"I32","shape":[2],"data_offsets":[8,16]}})",
          std::string(16, '\0'))));
  EXPECT_THROW(checkpoint.copy_into({"a", at::zeros({2, 1})}), worker::Failure);
  EXPECT_THROW(checkpoint.copy_into({"b", at::zeros({2})}), worker::Failure);
  EXPECT_THROW(checkpoint.copy_into({"i", at::zeros({2})}), worker::Failure);
}

TEST(WeightSource, LoadsAModelThatWasSavedAndTellsItsHash) {
  const TemporaryFolder folder;
  const models::LlamaConfig& config = models::find_llama_config("nano");
  models::Llama model(config, 8, at::TensorOptions(at::kFloat));
  models::make_weight_source("random", config, 3);
  const auto random = models::make_weight_source("random", config, 3);
  for (const models::NamedTensor& parameter : model.parameters()) random->give(parameter);
  models::save_safetensors(folder / "model.safetensors", model.parameters());
  const auto stored = models::make_weight_source("safetensors:" + folder.path().string(), config, 0);
  for (const models::NamedTensor& parameter : model.parameters()) {
    const at::Tensor read = at::empty_like(parameter.tensor);
    stored->give({parameter.name, read});
    EXPECT_TRUE(at::equal(read, parameter.tensor)) << parameter.name;
  }
  EXPECT_EQ(stored->description()["sha256"], base::sha256_file(folder / "model.safetensors"));
  EXPECT_EQ(stored->description()["converted_to"], base::Json::parse(R"(["Float"])"));
}

TEST(WeightSource, RefusesTensorsThatTheModelDoesNotKnow) {
  const TemporaryFolder folder;
  models::save_safetensors(folder / "model.safetensors", {{"transformer.wte.weight", at::zeros({2})}});
  EXPECT_THROW(
      models::make_weight_source("safetensors:" + folder.path().string(), models::find_llama_config("nano"), 0),
      worker::Failure);
  EXPECT_THROW(models::make_weight_source("zeros", models::find_llama_config("nano"), 0), worker::Failure);
  EXPECT_THROW(models::make_weight_source("safetensors:", models::find_llama_config("nano"), 0), worker::Failure);
}

}  // namespace
}  // namespace etalon
