// SPDX-License-Identifier: Apache-2.0
// What identifies is replaced, what measures is kept.
#include "machine/conceal.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fake_root.h"

namespace etalon::machine {
namespace {

FakeRoot& identified(FakeRoot& root, std::string_view id = "3d1219c7c4c5404aaa1f6d2a48adfda4\n") {
  return root.write("/etc/machine-id", id);
}

TEST(Pseudonym, IsTheSameOnOneMachineAndAnotherOnTheNext) {
  FakeRoot here;
  FakeRoot there;
  identified(here);
  identified(there, "ffffffffffffffffffffffffffffffff\n");
  EXPECT_EQ(pseudonym("host", "lab7", here.path()), pseudonym("host", "lab7", here.path()));
  EXPECT_NE(pseudonym("host", "lab7", here.path()), pseudonym("host", "lab7", there.path()));
  EXPECT_NE(pseudonym("host", "lab7", here.path()), pseudonym("host", "lab8", here.path()));
  EXPECT_NE(pseudonym("host", "lab7", here.path()).substr(5), pseudonym("user", "lab7", here.path()).substr(5));
}

TEST(Pseudonym, SaysItsKindAndNothingOfTheValue) {
  FakeRoot root;
  identified(root);
  const std::string name = pseudonym("host", "lab7", root.path());
  EXPECT_TRUE(name.starts_with("host-"));
  EXPECT_EQ(name.size(), 5U + 12);
  EXPECT_EQ(name.find("lab7"), std::string::npos);
}

TEST(Pseudonym, FallsBackToTheBootWhereAMachineHasNoId) {
  FakeRoot root;
  root.write("/etc/machine-id", "\n")
      .write("/proc/sys/kernel/random/boot_id", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee\n");
  const std::string first = pseudonym("host", "c0ffee", root.path());
  EXPECT_TRUE(first.starts_with("host-"));
  root.write("/proc/sys/kernel/random/boot_id", "11111111-bbbb-cccc-dddd-eeeeeeeeeeee\n");
  EXPECT_NE(pseudonym("host", "c0ffee", root.path()), first);
}

TEST(Pseudonym, SaysNothingAtAllWithoutAKey) {
  const FakeRoot root;
  EXPECT_EQ(pseudonym("host", "lab7", root.path()), "host-unnamed");
}

class Concealed : public testing::Test {
 protected:
  Concealed() { identified(root_); }
  std::string shown(std::string_view name, std::string_view value) const {
    return concealed(name, value, root_.path());
  }
  FakeRoot root_;
};

TEST_F(Concealed, KeepsOrdinaryValuesAsTheyAre) {
  for (const char* value :
       {"8", "0,1,2", "expandable_segments:True", "/usr/lib/x86_64-linux-gnu:/opt/cuda/lib64", "eth0", "INFO", ""})
    EXPECT_EQ(shown("NCCL_SOMETHING", value), value);
  EXPECT_EQ(shown("NVIDIA_CUDNN_VERSION", "9.19.0.56"), "9.19.0.56");
}

TEST_F(Concealed, ReplacesAllOfAValueWhoseNamePromisesASecret) {
  for (const char* name :
       {"HF_TOKEN", "WANDB_API_KEY", "MY_PASSWORD", "aws_secret_access_key", "NGC_KEY", "PGPASSWORD"})
    EXPECT_TRUE(shown(name, "hunter2").starts_with("secret-")) << name;
  for (const char* name :
       {"OMP_NUM_THREADS", "KEYBOARD", "key", "monkey", "--new-tokens", "TOKENIZERS_PARALLELISM", "author"})
    EXPECT_FALSE(names_secret(name)) << name;
}

TEST_F(Concealed, ReplacesUsersAddressesUuidsAndCredentialsInsideAText) {
  EXPECT_EQ(shown("LD_LIBRARY_PATH", "/home/marie/lib:/opt/lib"),
            "/home/" + pseudonym("user", "marie", root_.path()) + "/lib:/opt/lib");
  EXPECT_EQ(shown("MASTER_ADDR", "10.1.2.3"), pseudonym("address", "10.1.2.3", root_.path()));
  EXPECT_EQ(shown("NCCL_COMM_ID", "192.168.1.9:4242"), pseudonym("address", "192.168.1.9", root_.path()) + ":4242");
  EXPECT_EQ(shown("CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"),
            "GPU-" + pseudonym("uuid", "8932f937-d72c-4106-c12f-20bd9faed9f6", root_.path()));
  EXPECT_EQ(shown("TORCH_HOME", "https://marie:hunter2@example.org/x"),
            "https://" + pseudonym("credential", "marie:hunter2", root_.path()) + "@example.org/x");
  EXPECT_EQ(shown("MASTER_ADDR", "fe80:1:2:3:4:5:6:7").find("fe80"), std::string::npos);
}

TEST_F(Concealed, RecognisesTokensByTheirShape) {
  const std::string text = shown("TORCH_ARGS", "--login hf_abcdefghijklmnopqrstuvwxyz --quiet");
  EXPECT_EQ(text.find("hf_abc"), std::string::npos);
  EXPECT_TRUE(text.ends_with(" --quiet"));
}

TEST(WithoutSecrets, LeavesNoPasswordAndNoTokenWhateverIsIdentified) {
  EXPECT_EQ(without_secrets("http://me:pw@10.0.0.7/x --login=hf_abcdefghijklmnopqrstuvwxyz"),
            "http://[redacted]@10.0.0.7/x --login=[redacted]");
  EXPECT_EQ(without_secrets("https://h/?q=a:b@c sk-short /home/marie"), "https://h/?q=a:b@c sk-short /home/marie");
}

TEST_F(Concealed, GoesThroughEveryTextOfAnEvent) {
  const base::Json event{{"tokens", "bytes"},
                         {"device_uuid", "GPU-8bb286c2-176d-dff5-6eea-85eb10209961"},
                         {"versions", {{"cudnn", "9.19.0.56"}}},
                         {"libraries", {{{"path", "/home/alice/venv/nvidia_cudnn-9.19.0.56/lib.so"}}}},
                         {"units", 5}};
  const base::Json shown = concealed(event, root_.path());
  EXPECT_EQ(shown.at("tokens"), "bytes");
  EXPECT_EQ(shown.at("units"), 5);
  EXPECT_EQ(shown.at("versions").at("cudnn"), "9.19.0.56");
  EXPECT_TRUE(shown.at("device_uuid").get<std::string>().starts_with("GPU-uuid-"));
  const auto path = shown.at("libraries").at(0).at("path").get<std::string>();
  EXPECT_EQ(path.find("alice"), std::string::npos);
  EXPECT_NE(path.find("/venv/nvidia_cudnn-9.19.0.56/lib.so"), std::string::npos);
}

TEST_F(Concealed, LosesNothingOfALongText) {
  std::string text;
  for (int line = 0; line < 2000; ++line) text += "line at /home/alice/x\n";
  const std::string shown = concealed_text(text, root_.path());
  EXPECT_EQ(shown.find("alice"), std::string::npos);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 2000);
}

TEST_F(Concealed, CutsEndlessValues) { EXPECT_LT(shown("LD_LIBRARY_PATH", std::string(1'000'000, '/')).size(), 5000U); }

}  // namespace
}  // namespace etalon::machine
