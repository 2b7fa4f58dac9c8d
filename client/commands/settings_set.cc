// SPDX-License-Identifier: Apache-2.0
#include "client/commands/settings_set.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/core/status_macros.h"
#include "client/options.h"
#include "client/time.h"
#include "client/units.h"
#include "client/values.h"

namespace fairsched::client {
namespace {

// The request grows as the options are read: each writes its field, unless its
// word is `default`, and puts the field's name into the mask.
class SettingsSetCommand {
 public:
  explicit SettingsSetCommand(CLI::App& app) : app_(app) {
    request_.mutable_settings()->set_name("settings");
  }

  // `parse` returns a T, or an OrDefault<T>; `set` writes it.
  template <typename T, typename Parse>
  void Add(const std::string& flag, const std::string& field, Parse parse,
           std::function<void(v1::Settings&, const T&)> set,
           const std::string& description) {
    const auto value = std::make_shared<OrDefault<T>>();
    CLI::Option* option =
        AddParsedOption(app_, flag, *value, std::move(parse), description);
    fields_.push_back([this, option, value, field, set = std::move(set)] {
      if (option->count() == 0) return;
      request_.mutable_update_mask()->add_paths(field);
      if (value->has_value()) set(*request_.mutable_settings(), **value);
    });
  }

  void AddEtag() {
    app_.add_option("--etag", etag_, "Change them only if this is their etag");
  }

  // True if the command line changes anything.
  bool Build() {
    for (const std::function<void()>& field : fields_) field();
    request_.mutable_settings()->set_etag(etag_);
    return request_.has_update_mask();
  }

  const v1::UpdateSettingsRequest& request() const { return request_; }

 private:
  CLI::App& app_;
  std::vector<std::function<void()>> fields_;
  std::string etag_;
  v1::UpdateSettingsRequest request_;
};

void AddTimes(SettingsSetCommand& command) {
  command.Add<absl::Duration>(
      "--window", "window", DefaultOr<absl::Duration>(ParseDuration),
      [](v1::Settings& settings, const absl::Duration& window) {
        *settings.mutable_window() = ToProto(window);
      },
      "The span over which fairness is kept, 1s..1m");
  command.Add<v1::AutoWindow>(
      "--auto-window", "auto_window",
      DefaultOr<v1::AutoWindow>(ParseAutoWindow),
      [](v1::Settings& settings, const v1::AutoWindow& range) {
        *settings.mutable_auto_window() = range;
      },
      "Windows as long as users need, the default: MIN-MAX, or "
      "MIN-MAX,QUANTUM, as in 1s-10s,500ms");
  command.Add<absl::Duration>(
      "--interval", "interval", DefaultOr<absl::Duration>(ParseInterval),
      [](v1::Settings& settings, const absl::Duration& interval) {
        *settings.mutable_interval() = ToProto(interval);
      },
      "The period of a ceiling in the kernel, 1ms..5s, or auto");
  command.Add<absl::Duration>(
      "--tick", "tick", DefaultOr<absl::Duration>(ParseDuration),
      [](v1::Settings& settings, const absl::Duration& tick) {
        *settings.mutable_tick() = ToProto(tick);
      },
      "One turn of the control loop, 50ms..1s");
}

void AddAmounts(SettingsSetCommand& command) {
  command.Add<int32_t>(
      "--default-shares", "default_shares", DefaultOr<int32_t>(ParseInt32),
      [](v1::Settings& settings, const int32_t& shares) {
        settings.set_default_shares(shares);
      },
      "Shares of users that don't say theirs, 1..10000");
  command.Add<v1::Limit>(
      "--default-limit", "default_limit", DefaultOr<v1::Limit>(ParseLimit),
      [](v1::Settings& settings, const v1::Limit& limit) {
        *settings.mutable_default_limit() = limit;
      },
      "Of users that don't say theirs: CPUs, entitlement or none");
  command.Add<v1::Steal>(
      "--default-steal", "default_steal", DefaultOr<v1::Steal>(ParseSteal),
      [](v1::Settings& settings, const v1::Steal& steal) {
        *settings.mutable_default_steal() = steal;
      },
      "Of limits that don't say theirs: CPU time in a second, or unlimited");
  command.Add<int64_t>(
      "--floor", "floor_millicpus", DefaultOr<int64_t>(ParseMillicpus),
      [](v1::Settings& settings, const int64_t& millicpus) {
        settings.set_floor_millicpus(static_cast<int32_t>(millicpus));
      },
      "What every user can get at any time, 0..1cpu, as in 50m");
}

void AddUids(SettingsSetCommand& command) {
  command.Add<std::vector<v1::UidRange>>(
      "--uid-ranges", "uid_ranges", ParseUidRanges,
      [](v1::Settings& settings, const std::vector<v1::UidRange>& ranges) {
        settings.mutable_uid_ranges()->Assign(ranges.begin(), ranges.end());
      },
      "Uids that are users although nobody defined them, as in "
      "1000-59999,60600, or none");
  command.Add<std::vector<int64_t>>(
      "--exempt-uids", "exempt_uids", ParseUids,
      [](v1::Settings& settings, const std::vector<int64_t>& uids) {
        settings.mutable_exempt_uids()->Assign(uids.begin(), uids.end());
      },
      "Uids that are never throttled, as in 0,12, or none");
}

void AddWays(SettingsSetCommand& command) {
  command.Add<v1::Mode>(
      "--mode", "mode", DefaultOr<v1::Mode>(ParseMode),
      [](v1::Settings& settings, const v1::Mode& mode) {
        settings.set_mode(mode);
      },
      "observe or enforce");
  command.Add<v1::Pacing>(
      "--pacing", "pacing", DefaultOr<v1::Pacing>(ParsePacing),
      [](v1::Settings& settings, const v1::Pacing& pacing) {
        settings.set_pacing(pacing);
      },
      "How tokens are spent: feedback or none");
}

absl::StatusOr<ExitCode> SetSettings(Session& session,
                                     SettingsSetCommand& command) {
  if (!command.Build()) {
    session.Warn("nothing to set: see 'fairctl settings set --help'");
    return ExitCode::kUsage;
  }
  ASSIGN_OR_RETURN(
      const v1::Settings settings,
      session.connection().Call(session.connection().policy(),
                                &v1::PolicyService::Stub::UpdateSettings,
                                command.request()));
  if (session.json()) {
    RETURN_IF_ERROR(session.PrintJson(settings));
  } else {
    session.Print("set\n");
  }
  return ExitCode::kDone;
}

}  // namespace

void AddSettingsSetCommand(CLI::App& settings, Action& chosen) {
  CLI::App* set = settings.add_subcommand(
      "set",
      "Change the settings that are given; 'default' as a value sets "
      "the default");
  const auto command = std::make_shared<SettingsSetCommand>(*set);
  AddWays(*command);
  AddTimes(*command);
  AddAmounts(*command);
  AddUids(*command);
  command->AddEtag();
  set->callback([command, &chosen] {
    chosen = [command](Session& session) {
      return SetSettings(session, *command);
    };
  });
}

}  // namespace fairsched::client
