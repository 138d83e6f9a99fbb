// SPDX-License-Identifier: Apache-2.0
// Reading is non-blocking and bounded per call; everything a worker may do wrong ends as one Fault.
#include "measure/connection.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"

namespace etalon::measure {
namespace {

constexpr std::size_t block_bytes = 64 * 1024;
constexpr int blocks_per_call = 16;
constexpr std::size_t excerpt_bytes = 200;
/// Steps are what a run is made of; this much of anything else is a flood.
constexpr std::uint64_t most_other_bytes = std::uint64_t{64} << 20;

}  // namespace

Connection::Connection(wire::Descriptor descriptor, int world_size, std::int64_t earliest_ns)
    : descriptor_(std::move(descriptor)), ledger_(world_size, earliest_ns), last_event_ns_(base::monotonic_ns()) {}

void Connection::receive(const OnEvent& on_event) {
  char block[block_bytes];
  for (int count = 0; count < blocks_per_call && !closed_ && !fault_; ++count) {
    const ssize_t size = ::recv(descriptor_.get(), block, sizeof block, MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) {
      closed_ = true;
      half_line_ = base::printable(lines_.rest(), excerpt_bytes);
      return;
    }
    const std::int64_t now_ns = base::monotonic_ns();
    const bool bounded = lines_.feed({block, static_cast<std::size_t>(size)},
                                     [&](std::string_view line) { take_line(line, now_ns, on_event); });
    if (!bounded && !fault_) {
      fault_ = Fault{fmt::format("a line longer than the {} bytes allowed", wire::max_line_bytes),
                     base::printable(lines_.rest(), excerpt_bytes), false};
    }
  }
}

void Connection::take_line(std::string_view line, std::int64_t now_ns, const OnEvent& on_event) {
  if (fault_) return;
  try {
    const wire::Event event = wire::decode_event(line);
    if (!std::holds_alternative<wire::Step>(event)) other_bytes_ += line.size();
    if (other_bytes_ > most_other_bytes)
      throw wire::ProtocolError(fmt::format("more than {} MiB of events that are not steps", most_other_bytes >> 20));
    ledger_.accept(event, now_ns);
    last_event_ns_ = now_ns;
    on_event(ledger_.rank(), event, line);
  } catch (const wire::ProtocolError& error) {
    const bool not_finite = dynamic_cast<const wire::NotFiniteError*>(&error) != nullptr;
    fault_ = Fault{error.what(), base::printable(line, excerpt_bytes), not_finite};
  }
}

bool Connection::send(const wire::Command& command) {
  const std::string line = wire::encode(command);
  const ssize_t sent = ::send(descriptor_.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  // A worker that is gone is found out by reading.
  return sent == static_cast<ssize_t>(line.size()) || (sent < 0 && errno != EAGAIN);
}

}  // namespace etalon::measure
