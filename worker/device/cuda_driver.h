// SPDX-License-Identifier: Apache-2.0
// What the NVIDIA driver says of this machine, asked through its own library opened at run time: the same executable
// runs where there is none.
#pragma once

#include <optional>
#include <string>

namespace etalon::device {

struct Card {
  std::string name;
  std::string uuid;         ///< "GPU-…" as nvidia-smi writes it
  std::string capability;   ///< "9.0"
  std::string driver_cuda;  ///< newest CUDA that the driver serves ("13.0")
  std::string pci_address;  ///< "0000:3B:00.0"
};

struct DriverAnswer {
  std::optional<Card> card;  ///< the first visible one
  std::string reason;        ///< why there is none
};
DriverAnswer ask_cuda_driver();

}  // namespace etalon::device
