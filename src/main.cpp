// SPDX-License-Identifier: Apache-2.0
// etalon: maps the command line to a verb. The only place that prints an error and ends the program.
#include <csignal>
#include <exception>
#include <iostream>

#include "base/error.h"
#include "command_line/verb.h"

namespace {

int fail(etalon::base::ExitCode code, const std::string& message, const std::string& next_step) {
  std::cerr << "etalon: " << message << "\n";
  if (!next_step.empty()) std::cerr << "        " << next_step << "\n";
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  using etalon::base::ExitCode;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that left early must not end a measurement
  try {
    return static_cast<int>(etalon::command_line::run_command_line(argc, argv));
  } catch (const etalon::base::Error& error) {
    return fail(error.code(), error.what(), error.next_step());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::internal, "out of host memory", "close other programs and try again");
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, std::string("internal error: ") + error.what(),
                "this is a fault of étalon: please report it with the command that you typed and `etalon --version`");
  }
}
