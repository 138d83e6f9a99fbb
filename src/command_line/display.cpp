// SPDX-License-Identifier: Apache-2.0
#include "command_line/display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"

namespace etalon::command_line {

namespace {

constexpr double plain_line_interval_seconds = 10;

std::string status_text(const measure::Progress& progress) {
  std::string text = fmt::format("{:<12} {:>9}  step {}", progress.phase,
                                 base::human_duration(progress.elapsed_seconds), progress.steps);
  if (progress.units_per_second)
    text += fmt::format("  {} {}s/s", base::to_human(*progress.units_per_second), progress.unit);
  if (progress.relative_half_width && std::isfinite(*progress.relative_half_width))
    text += fmt::format(" ±{} %", base::to_human(100 * *progress.relative_half_width, 2));
  if (progress.loss) text += fmt::format("  loss {}", base::to_human(*progress.loss));
  if (progress.remaining_seconds)
    text += fmt::format("  about {} left", base::human_duration(*progress.remaining_seconds));
  return text;
}

base::Json to_json(const measure::Progress& progress) {
  base::Json json{{"event", "progress"},
                  {"phase", progress.phase},
                  {"elapsed_seconds", progress.elapsed_seconds},
                  {"steps", progress.steps}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) json[name] = *value;
  };
  add("loss", progress.loss);
  add("units_per_second", progress.units_per_second);
  add("relative_half_width", progress.relative_half_width);
  add("remaining_seconds", progress.remaining_seconds);
  json["unit"] = progress.unit;
  return json;
}

class TextDisplay : public Display {
 public:
  explicit TextDisplay(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

  void planned(const pipeline::Plan& plan) override {
    const auto& recipe = plan.resolved.recipe;
    say(fmt::format("recipe   {} – {}", plan.resolved.name, recipe.title));
    say(fmt::format("dossier  {}", plan.output.string()));
    say(fmt::format("expect   {} to {}, at most {} on disk", base::human_duration(plan.expectation.fewest_seconds),
                    base::human_duration(plan.expectation.most_seconds),
                    base::human_bytes(plan.expectation.disk_bytes)));
  }

  void checked(const preflight::Preflight& preflight) override {
    for (const preflight::Finding& finding : preflight.findings) {
      if (finding.level != preflight::Level::fail && finding.level != preflight::Level::warn) continue;
      say(fmt::format("{:<8} {} {}: {}", preflight::to_text(finding.level), finding.id, finding.title,
                      finding.evidence));
      if (!finding.remedy.empty()) say("         " + finding.remedy);
    }
  }

  void launch_started(std::int64_t index, std::int64_t of) override {
    if (of > 1) say(fmt::format("launch   {} of {}", index, of));
  }

  void progress(const measure::Progress& progress) override {
    if (quiet_) return;
    if (terminal_) {
      std::cerr << "\r\x1b[K" << cut_to_width(status_text(progress)) << std::flush;
      line_open_ = true;
    } else if (progress.phase != last_phase_ ||
               progress.elapsed_seconds - last_line_seconds_ >= plain_line_interval_seconds) {
      say(status_text(progress));
      last_line_seconds_ = progress.elapsed_seconds;
    }
    last_phase_ = progress.phase;
  }

  void sealing(const std::filesystem::path&) override { close_line(); }

  void finished(const pipeline::RunResult& result) override {
    close_line();
    for (const dossier::HeadlineValue& value : result.headline)
      std::cout << fmt::format("{:<38} {}\n", base::printable(value.meaning), headline_text(value));
    std::cout << fmt::format("{:<38} {} – {}\n", "verdict", measure::to_text(result.verdict),
                             base::printable(result.reason));
    if (!result.next_step.empty())
      std::cout << fmt::format("{:<38} {}\n", "next step", base::printable(result.next_step));
    std::cout << fmt::format("{:<38} {}\n", "dossier", result.folder.string()) << std::flush;
  }

 private:
  void say(const std::string& line) {
    if (quiet_) return;
    close_line();
    std::cerr << line << std::endl;
  }

  void close_line() {
    if (line_open_) std::cerr << "\r\x1b[K" << std::flush;
    line_open_ = false;
  }

  static std::string cut_to_width(const std::string& text) {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return base::printable(text, known ? size.ws_col - 1U : 79U);
  }

  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  std::string last_phase_;
  double last_line_seconds_ = 0;
};

class JsonDisplay : public Display {
 public:
  void planned(const pipeline::Plan& plan) override {
    print({{"event", "planned"},
           {"recipe", plan.resolved.name},
           {"dossier", plan.output.string()},
           {"expected_seconds", {plan.expectation.fewest_seconds, plan.expectation.most_seconds}},
           {"expected_disk_bytes", plan.expectation.disk_bytes}});
  }
  void checked(const preflight::Preflight& preflight) override {
    print({{"event", "preflight"}, {"findings", preflight::to_json(preflight)}});
  }
  void launch_started(std::int64_t index, std::int64_t of) override {
    print({{"event", "launch"}, {"index", index}, {"of", of}});
  }
  void progress(const measure::Progress& progress) override { print(to_json(progress)); }
  void finished(const pipeline::RunResult& result) override {
    base::Json headline = base::Json::array();
    for (const dossier::HeadlineValue& value : result.headline) headline.push_back(dossier::to_json(value));
    print({{"event", "result"},
           {"dossier", result.folder.string()},
           {"verdict", measure::to_text(result.verdict)},
           {"reason", result.reason},
           {"next_step", result.next_step},
           {"exit_code", static_cast<int>(pipeline::exit_code(result.verdict))},
           {"headline", headline}});
  }

 private:
  static void print(const base::Json& event) { std::cout << base::to_line(event) << std::endl; }
};

}  // namespace

std::string headline_text(const dossier::HeadlineValue& value) {
  const statistics::Estimate& estimate = value.estimate;
  const std::string text = fmt::format("{} {}", base::to_human(estimate.value, 5), value.unit);
  if (estimate.samples < 2 || !std::isfinite(estimate.relative_half_width())) return text;
  return fmt::format("{} ({:.0f} % interval {} – {}, ±{} %)", text, 100 * estimate.confidence,
                     base::to_human(estimate.low, 5), base::to_human(estimate.high, 5),
                     base::to_human(100 * estimate.relative_half_width(), 2));
}

std::unique_ptr<Display> make_text_display(bool quiet) { return std::make_unique<TextDisplay>(quiet); }

std::unique_ptr<Display> make_json_display() { return std::make_unique<JsonDisplay>(); }

}  // namespace etalon::command_line
