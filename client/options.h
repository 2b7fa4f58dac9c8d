// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_OPTIONS_H_
#define FAIRSCHED_CLIENT_OPTIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::client {

// Adds an option whose text `parse` (absl::StatusOr<T>(absl::string_view))
// turns into a value; what it refuses is a usage error with its message.
// `target` must outlive `app`'s parsing.
template <typename T, typename Parse>
CLI::Option* AddParsedOption(CLI::App& app, const std::string& name, T& target,
                             Parse parse, const std::string& description) {
  CLI::Option* option = app.add_option(
      name,
      [&target, parse](const std::vector<std::string>& texts) {
        auto value = parse(absl::string_view(texts.back()));
        if (!value.ok()) return false;
        target = *std::move(value);
        return true;
      },
      description);
  option->check([parse](const std::string& text) {
    const auto value = parse(absl::string_view(text));
    return value.ok() ? std::string() : std::string(value.status().message());
  });
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  option->type_name("VALUE");
  return option;
}

// A value, or its absence: what the option's word `default` sets.
template <typename T>
using OrDefault = std::optional<T>;

// `parse`, but "default" is the absence of a value.
template <typename T, typename Parse>
auto DefaultOr(Parse parse) {
  return [parse](absl::string_view text) -> absl::StatusOr<OrDefault<T>> {
    if (text == "default") return OrDefault<T>();
    absl::StatusOr<T> value = parse(text);
    if (!value.ok()) return value.status();
    return OrDefault<T>(*std::move(value));
  };
}

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_OPTIONS_H_
