// SPDX-License-Identifier: Apache-2.0
#include "command_line/text_view.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"

namespace etalon::command_line {

namespace {

using base::Json;

constexpr double plain_line_interval_seconds = 10;

std::string text_of(const Json& event, const char* name) { return base::printable(event.value(name, std::string())); }

std::optional<double> number_of(const Json& event, const char* name) {
  const auto found = event.find(name);
  if (found == event.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string speed_text(const Json& progress) {
  const auto speed = number_of(progress, "units_per_second");
  if (!speed) return {};
  std::string text = fmt::format("{} {}s/s", base::to_human(*speed), text_of(progress, "unit"));
  if (const auto half_width = number_of(progress, "relative_half_width"))
    text += fmt::format(" ±{} %", base::to_human(100 * *half_width, 2));
  return text;
}

std::string time_left_text(const Json& progress) {
  const auto seconds = number_of(progress, "remaining_seconds");
  return seconds ? fmt::format("about {} left", base::human_duration(*seconds)) : std::string();
}

std::string with_label(const char* label, const std::string& text) {
  return text.empty() ? text : std::string(label) + " " + text;
}

std::string human_loss(const Json& progress) {
  const auto loss = number_of(progress, "loss");
  return loss ? base::to_human(*loss) : std::string();
}

/// Two blanks between.
std::string side_by_side(const std::vector<std::string>& parts) { return base::join_filled(parts, "  "); }

std::string reading_text(const Json& reading) {
  const std::string unit = reading.value("unit", std::string());
  const double value = reading.value("value", 0.0);
  const std::string label = text_of(reading, "label");
  if (unit == "bytes") return fmt::format("{} {}", label, base::human_bytes(value));
  const std::string shown = unit == "percent" ? "%" : unit == "celsius" ? "°C" : unit == "watts" ? "W" : unit;
  return fmt::format("{} {:.0f} {}", label, value, shown);
}

std::string bar(double fraction, bool open, bool colours) {
  constexpr int width = 10;
  const int full = open ? width : std::clamp(static_cast<int>(fraction * width), 0, width - 1);
  std::string filled;
  std::string empty;
  for (int i = 0; i < width; ++i) (i < full ? filled : empty) += i < full ? "█" : "░";
  return styled(filled, open ? Style::good : Style::plain, colours) + styled(empty, Style::faint, colours);
}

/// How near a closed gate is: it opens when the value reaches the threshold from below (times) or from above (widths).
double nearness(const Json& gate) {
  const auto value = number_of(gate, "value");
  const auto threshold = number_of(gate, "threshold");
  if (!value || !threshold || *value <= 0 || *threshold <= 0) return 0;
  return std::min(*value / *threshold, *threshold / *value);
}

std::string gate_line(const Json& gate, bool colours) {
  const bool open = gate.value("open", false);
  return fmt::format("{:<11} {} {} {}", text_of(gate, "gate"), bar(nearness(gate), open, colours),
                     open ? styled("open  ", Style::good, colours) : "closed", text_of(gate, "reason"));
}

class TextView : public EventSink {
 public:
  TextView(TextViewSettings settings, std::ostream& log, std::ostream& result)
      : settings_(std::move(settings)), log_(log), result_(result), block_(log, settings_.size) {}

  void take(const Json& event) override {
    const std::string kind = event.value("event", std::string());
    if (kind == "planned") planned(event);
    if (kind == "preflight") preflight(event);
    if (kind == "launch") launch(event);
    if (kind == "progress") progress(event);
    if (kind == "sealing") block_.clear();
    if (kind == "result") finished(event);
  }

 private:
  void planned(const Json& event) {
    const Json& seconds = event.at("expected_seconds");
    say(fmt::format("recipe      {} – {}", text_of(event, "recipe"), text_of(event, "title")));
    say(fmt::format("dossier     {}", text_of(event, "dossier")));
    say(fmt::format("expect      {} to {}, at most {} on disk", base::human_duration(seconds.at(0)),
                    base::human_duration(seconds.at(1)), base::human_bytes(event.at("expected_disk_bytes"))));
  }

  void preflight(const Json& event) {
    for (const Json& finding : event.at("findings").at("findings")) {
      const std::string level = text_of(finding, "level");
      if (level != "fail" && level != "warn") continue;
      say(fmt::format("{:<11} {} {}: {}", level, text_of(finding, "id"), text_of(finding, "title"),
                      text_of(finding, "evidence")));
      if (const std::string remedy = text_of(finding, "remedy"); !remedy.empty()) say("            " + remedy);
    }
  }

  void launch(const Json& event) {
    last_phase_.clear();
    if (event.at("of") > 1) say(fmt::format("launch      {} of {}", event.at("index").dump(), event.at("of").dump()));
  }

  void progress(const Json& event) {
    if (settings_.quiet) return;
    if (settings_.terminal) return block_.draw(progress_lines(event, settings_.colours));
    const std::string phase = text_of(event, "phase");
    const double elapsed = event.value("elapsed_seconds", 0.0);
    if (phase == last_phase_ && elapsed - last_line_seconds_ < plain_line_interval_seconds) return;
    say(progress_line(event));
    last_line_seconds_ = elapsed;
    last_phase_ = phase;
  }

  void finished(const Json& event) {
    block_.clear();
    const auto line = [this](const std::string& what, const std::string& text) {
      result_ << fmt::format("{:<38} {}\n", what, text);
    };
    for (const Json& json : event.at("headline")) {
      const dossier::HeadlineValue value = dossier::headline_value_from_json(json);
      line(base::printable(value.meaning), headline_text(value));
    }
    line("verdict", fmt::format("{} – {}", text_of(event, "verdict"), text_of(event, "reason")));
    if (const std::string next_step = text_of(event, "next_step"); !next_step.empty()) line("next step", next_step);
    line("dossier", text_of(event, "dossier"));
    result_ << std::flush;
  }

  void say(const std::string& text) {
    if (settings_.quiet) return;
    block_.clear();
    log_ << text << std::endl;
  }

  TextViewSettings settings_;
  std::ostream& log_;
  std::ostream& result_;
  LiveBlock block_;
  std::string last_phase_;
  double last_line_seconds_ = 0;
};

}  // namespace

std::string progress_line(const Json& progress) {
  return side_by_side({fmt::format("{:<12} {:>9}  step {}", text_of(progress, "phase"),
                                   base::human_duration(progress.value("elapsed_seconds", 0.0)),
                                   progress.value("steps", std::int64_t{0})),
                       speed_text(progress), with_label("loss", human_loss(progress)), time_left_text(progress)});
}

std::vector<std::string> progress_lines(const Json& progress, bool colours) {
  const auto done = progress.value("steps", std::int64_t{0});
  const auto total = progress.value("total_steps", std::int64_t{0});
  // A measurement may go on after the schedule's end.
  const std::string steps = done <= total ? fmt::format("step {} of {}", done, total) : fmt::format("step {}", done);
  std::vector<std::string> lines{
      side_by_side({styled(fmt::format("{:<11}", text_of(progress, "phase")), Style::strong, colours) + " " +
                        base::human_duration(progress.value("elapsed_seconds", 0.0)),
                    steps, time_left_text(progress)})};
  if (const std::string speed = speed_text(progress); !speed.empty())
    lines.push_back(side_by_side(
        {"speed       " + styled(speed, Style::strong, colours), with_label("loss", human_loss(progress))}));
  for (const Json& gate : progress.value("gates", Json::array())) lines.push_back(gate_line(gate, colours));
  std::vector<std::string> readings;
  for (const Json& reading : progress.value("readings", Json::array())) readings.push_back(reading_text(reading));
  if (!readings.empty()) lines.push_back("machine     " + base::join(readings, ", "));
  return lines;
}

std::string headline_text(const dossier::HeadlineValue& value) {
  const statistics::Estimate& estimate = value.estimate;
  const std::string text = fmt::format("{} {}", base::to_human(estimate.value, 5), value.unit);
  if (estimate.samples < 2 || !std::isfinite(estimate.relative_half_width())) return text;
  return fmt::format("{} ({:.0f} % interval {} – {}, ±{} %)", text, 100 * estimate.confidence,
                     base::to_human(estimate.low, 5), base::to_human(estimate.high, 5),
                     base::to_human(100 * estimate.relative_half_width(), 2));
}

TextViewSettings text_view_settings(bool quiet) {
  const auto given = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
  };
  const bool able = ::isatty(STDERR_FILENO) != 0 && given("TERM") != "dumb";
  return {.quiet = quiet, .terminal = able, .colours = able && given("NO_COLOR").empty(), .size = [] {
            return terminal_size(STDERR_FILENO);
          }};
}

std::unique_ptr<EventSink> make_text_view(const TextViewSettings& settings, std::ostream& log, std::ostream& result) {
  return std::make_unique<TextView>(settings, log, result);
}

}  // namespace etalon::command_line
