// SPDX-License-Identifier: Apache-2.0
#include "dossier/columns.h"

namespace etalon::dossier {

const std::vector<Column>& steps_columns() {
  static const std::vector<Column> columns = {
      {"rank", "", "process of the launch, from 0", "worker"},
      {"index", "", "optimiser step of this rank, from 0 without gaps", "worker"},
      {"start_ns", "ns", "CLOCK_MONOTONIC at the step's start", "worker"},
      {"end_ns", "ns", "CLOCK_MONOTONIC at the step's end", "worker"},
      {"gpu_ns", "ns", "time between the CUDA events around the step; empty without a GPU", "worker"},
      {"units", "",
       "tokens, images or samples trained in the step by this rank, accumulation included, padding excluded", "worker"},
      {"loss_nats", "nats", "training loss per predicted unit; empty for steps whose loss was not read", "worker"},
      {"data_wait_ns", "ns", "part of the step spent waiting for training data; empty where the worker does not tell",
       "worker"},
  };
  return columns;
}

std::vector<Column> telemetry_columns(const std::vector<measure::Channel>& channels) {
  std::vector<Column> columns = {{"time_ns", "ns", "CLOCK_MONOTONIC at the sample", "étalon"}};
  for (const measure::Channel& channel : channels)
    if (channel.state == "value") columns.push_back({channel.name, channel.unit, channel.meaning, channel.source});
  return columns;
}

std::string header_line(const std::vector<Column>& columns) {
  std::string line;
  for (const Column& column : columns) {
    if (!line.empty()) line += ',';
    line += column.name;
  }
  return line + "\n";
}

base::Json to_json(const std::vector<Column>& columns) {
  base::Json list = base::Json::array();
  for (const Column& column : columns)
    list.push_back(
        {{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}, {"source", column.source}});
  return list;
}

std::vector<Column> columns_from_json(const base::Json& json) {
  std::vector<Column> columns;
  for (const base::Json& column : json)
    columns.push_back({column.at("name"), column.at("unit"), column.at("meaning"), column.at("source")});
  return columns;
}

}  // namespace etalon::dossier
