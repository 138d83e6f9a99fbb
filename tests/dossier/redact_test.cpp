// SPDX-License-Identifier: Apache-2.0
#include "dossier/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etalon::dossier {
namespace {

using ::testing::ElementsAre;

TEST(Redact, HidesValuesOfSecretLookingNames) {
  EXPECT_THAT(redact({"--set", "hub.access_token=s3", "--password=p"}),
              ElementsAre("--set", "hub.access_token=[redacted]", "--password=[redacted]"));
  EXPECT_THAT(redact({"--api-key", "k1", "run"}), ElementsAre("--api-key", "[redacted]", "run"));
}

TEST(Redact, HidesPasswordsInAddresses) {
  EXPECT_THAT(redact({"power.meters=http://me:pw@10.0.0.7/x", "https://h/?q=a:b@c"}),
              ElementsAre("power.meters=http://[redacted]@10.0.0.7/x", "https://h/?q=a:b@c"));
}

TEST(Redact, HidesKnownTokenShapes) {
  EXPECT_THAT(redact({"hf_abcdefghijklmnopqrstuvwxyz", "sk-short", "x=ghp_0123456789abcdef0123"}),
              ElementsAre("[redacted]", "sk-short", "x=[redacted]"));
}

TEST(Redact, LeavesTokensOfALanguageModelAlone) {
  EXPECT_THAT(redact({"data.source=tokens:FILE", "--new-tokens", "128", "training.micro_batch=4"}),
              ElementsAre("data.source=tokens:FILE", "--new-tokens", "128", "training.micro_batch=4"));
}

}  // namespace
}  // namespace etalon::dossier
