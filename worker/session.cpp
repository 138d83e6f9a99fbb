// SPDX-License-Identifier: Apache-2.0
// Hello, order, build, train, done.
#include "worker/session.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <cstdlib>
#include <future>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/version.h"
#include "recipe/resolve.h"
#include "worker/data/token_source.h"
#include "worker/device/device.h"
#include "worker/events/libraries.h"
#include "worker/failure.h"
#include "worker/fused/bench_kernels.h"
#include "worker/kernels/self_check.h"
#include "worker/libtorch_version.h"
#include "worker/train_loop.h"
#include "worker/workloads/catalog.h"

namespace etalon::worker {
namespace {

int environment_number(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<int>(base::parse_integer(text).value_or(otherwise));
}

wire::Hello hello() {
  const device::DriverAnswer driver = device::ask_cuda_driver();
  wire::Hello event;
  event.engine = "native";
  event.versions = events::torch_versions();
  event.versions.insert({{"etalon-torch", base::build().version},
                         {"built with pytorch", built_with_libtorch()},
                         {"compiler", base::build().compiler}});
  event.rank = environment_number("RANK", 0);
  event.world_size = environment_number("WORLD_SIZE", 1);
  event.process_id = getpid();
  event.device = driver.card ? "cuda:0" : "cpu";
  if (driver.card) {
    event.device_uuid = driver.card->uuid;
    event.versions["driver's newest cuda"] = driver.card->driver_cuda;
  }
  return event;
}

/// The recipe inside an order, a recipe.resolved.json, or alone.
base::Json recipe_in(const base::Json& document) {
  for (const char* const member : {"recipe", "values"}) {
    if (document.is_object() && document.contains(member)) {
      return document.at(member);
    }
  }
  return document;
}

recipe::Recipe order_in(const std::filesystem::path& file) {
  return recipe::from_json(recipe_in(base::parse_json(base::read_file(file), file.string())));
}

/// Empty when the controller went away or said stop before any order.
std::optional<recipe::Recipe> receive_order(wire::Client& client, const Arguments& arguments) {
  if (arguments.order) {
    return order_in(*arguments.order);
  }
  const std::optional<wire::Command> command = client.wait(-1);
  const auto* const order = command ? std::get_if<wire::Order>(&*command) : nullptr;
  return order == nullptr ? std::nullopt : std::optional(recipe::from_json(order->recipe));
}

base::Json device_details(const device::Device& device, int threads) {
  base::Json details{{"device", device.name()}, {"cpu_threads", threads}};
  if (device.card) {
    details["card"] = device.card->name;
    details["capability"] = device.card->capability;
    details["own_kernels"] = std::string(kernels::built_architectures());
    details["cuda_runtime"] = at::detail::getCUDAHooks().versionCUDART();
    details["cudnn"] = at::detail::getCUDAHooks().versionCuDNN();
  }
  return details;
}

wire::Config config_of(const workloads::WorkSize& size, const base::Json& device, const events::StepClock& clock) {
  wire::Config config{size.parameters, size.unit, size.units_per_step, size.flops_per_unit, size.details};
  config.details.update(device);
  config.details["clock_uncertainty_ns"] = clock.uncertainty_ns();
  return config;
}

TrainPlan plan_of(const recipe::Recipe& recipe, const workloads::WorkSize& size, const device::Device& device,
                  const Arguments& arguments) {
  TrainPlan plan;
  plan.total_steps = recipe.training.schedule.total_steps;
  plan.evaluate_every_steps = recipe.evaluation.every_steps;
  plan.units_per_step = size.units_per_step;
  plan.evaluates = recipe.evaluation.sequences > 0;
  if (arguments.order) {
    plan.last_step = arguments.steps.value_or(plan.total_steps);
  }
  if (device.torch.is_cuda()) {
    plan.device_index = device.torch.index();
  }
  return plan;
}

void send_libraries(wire::Client& client, std::vector<wire::Library> libraries) {
  for (const wire::Libraries& batch : wire::in_batches(std::move(libraries))) {
    client.send(batch);
  }
}

/// From order to done.
void serve(wire::Client& client, const recipe::Recipe& recipe, const Arguments& arguments) {
  client.send(wire::Phase{"setup", base::monotonic_ns()});
  if (environment_number("WORLD_SIZE", 1) > 1) {
    throw unsupported("training on several devices together is not served by the native worker yet",
                      "set launch.gpus to 1");
  }
  const int threads = device::set_threads(recipe.engine.threads);
  const device::Device device = device::choose_device(recipe.engine.device);
  if (!device.reason.empty()) {
    client.send(wire::Note{"info", "training on the CPU: " + device.reason});
  }
  // Hashing takes a second the first time: it goes on while the model is built, and is over before anything is timed.
  events::LibraryHashes hashes(events::LibraryHashes::default_cache());
  std::future<std::vector<wire::Library>> libraries =
      std::async(std::launch::async, [&] { return hashes.new_libraries(); });
  const auto workload = workloads::make_workload({recipe, device.torch});
  const auto clock = events::make_step_clock(device.torch);
  const workloads::WorkSize size = workload->size();
  client.send(config_of(size, device_details(device, threads), *clock));
  for (const std::string& remark : size.remarks) {
    client.send(wire::Note{"info", remark});
  }
  send_libraries(client, libraries.get());
  const TrainOutcome outcome = train(*workload, *clock, client, plan_of(recipe, size, device, arguments));
  if (!outcome.reason.empty()) {
    send_libraries(client, hashes.new_libraries());  // those that were loaded on first use
    client.send(wire::Done{outcome.steps, outcome.steps * size.units_per_step, outcome.reason});
  }
}

int failed(wire::Client& client, const std::string& kind, const std::string& message, const std::string& next_step) {
  client.send(wire::Failure{kind, message, next_step});
  client.flush();
  return static_cast<int>(base::ExitCode::worker_failed);
}

}  // namespace

int run_session(wire::Client& client, const Arguments& arguments) {
  try {
    client.send(hello());
    if (const std::optional<recipe::Recipe> recipe = receive_order(client, arguments)) {
      serve(client, *recipe, arguments);
    }
    client.flush();
    return static_cast<int>(base::ExitCode::ok);
  } catch (const Failure& failure) {
    return failed(client, failure.kind(), failure.what(), failure.next_step());
  } catch (const base::Error& error) {
    return failed(client, error.code() == base::ExitCode::usage ? "unsupported" : "internal", error.what(),
                  error.next_step());
  } catch (const c10::OutOfMemoryError& error) {
    return failed(client, "out of memory", error.what_without_backtrace(),
                  "use a smaller training.micro_batch or workload.context");
  } catch (const std::bad_alloc&) {
    return failed(client, "out of memory", "the host's memory is used up",
                  "use a smaller model or training.micro_batch");
  } catch (const c10::Error& error) {
    return failed(client, "internal", error.what_without_backtrace(), "report this with the dossier's worker.log");
  } catch (const std::exception& error) {
    return failed(client, "internal", error.what(), "report this with the dossier's worker.log");
  }
}

std::string bench_document(const Arguments& arguments) {
  const recipe::Recipe recipe = order_in(*arguments.order);
  device::set_threads(recipe.engine.threads);
  return fused::bench_kernels({recipe, device::choose_device(recipe.engine.device).torch});
}

std::string list_document() {
  base::Json families = base::Json::array();
  for (const workloads::Family& family : workloads::families()) {
    base::Json models = base::Json::array();
    for (const workloads::ModelDescription& model : family.models()) {
      models.push_back({{"name", model.name}, {"parameters", model.parameters}, {"summary", model.summary}});
    }
    families.push_back({{"name", std::string(family.name)}, {"models", std::move(models)}});
  }
  base::Json sources = base::Json::array();
  for (const data::SourceDescription& source : data::describe_sources()) {
    sources.push_back({{"name", source.name}, {"meaning", source.meaning}});
  }
  return base::to_document({{"families", std::move(families)}, {"sources", std::move(sources)}});
}

}  // namespace etalon::worker
