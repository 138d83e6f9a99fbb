// SPDX-License-Identifier: Apache-2.0
// etalon-torch: read the order → build the workload → train → events. The only place that prints an error and exits.
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "base/json.h"
#include "base/version.h"
#include "wire/client.h"
#include "worker/arguments.h"
#include "worker/data/make_shards.h"
#include "worker/events/libraries.h"
#include "worker/failure.h"
#include "worker/session.h"

namespace {

using namespace etalon;

/// Tensors on the CPU come and go every step: memory once taken is kept, or each step would fault its pages in anew.
void keep_freed_memory() {
  constexpr int kept_bytes = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kept_bytes);
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
}

int run(const worker::Arguments& arguments) {
  if (arguments.help) {
    std::fputs(worker::help_text().c_str(), stdout);
    return 0;
  }
  if (arguments.version) {
    std::printf("etalon-torch %s, LibTorch %s\n", base::build().version.c_str(),
                events::torch_versions()["pytorch"].c_str());
    return 0;
  }
  if (arguments.list) {
    std::fputs(worker::list_document().c_str(), stdout);
    return 0;
  }
  if (arguments.bench_kernels) {
    std::fputs(worker::bench_document(arguments).c_str(), stdout);
    return 0;
  }
  if (arguments.shards) {
    std::fputs(base::to_document(data::make_shards(*arguments.shards)).c_str(), stdout);
    return 0;
  }
  keep_freed_memory();
  wire::Client client =
      arguments.order ? wire::Client(wire::Descriptor(STDOUT_FILENO)) : wire::Client::from_environment();
  return worker::run_session(client, arguments);
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(worker::parse_arguments(count, words));
  } catch (const base::Error& error) {
    std::fprintf(stderr, "etalon-torch: %s\n%s%s", error.what(), error.next_step().c_str(),
                 error.next_step().empty() ? "" : "\n");
    return static_cast<int>(error.code());
  } catch (const worker::Failure& failure) {
    std::fprintf(stderr, "etalon-torch: %s\n%s\n", failure.what(), failure.next_step().c_str());
    return static_cast<int>(base::ExitCode::usage);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "etalon-torch: %s\n", error.what());
    return static_cast<int>(base::ExitCode::internal);
  }
}
