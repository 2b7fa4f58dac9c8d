// SPDX-License-Identifier: Apache-2.0
#include "server/explain.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "server/convert_usage.h"
#include "server/resource_name.h"

namespace fairsched::server {
namespace {

constexpr size_t kNamedUsers = 5;

std::string Seconds(absl::Duration duration) {
  return absl::StrFormat("%.2f s", absl::ToDoubleSeconds(duration));
}

std::string Seconds(core::CpuTime time) {
  return absl::StrFormat("%.2f s", time.seconds());
}

std::string Entitled(const core::UserDecision& user,
                     const core::NodeDecision& node) {
  return absl::StrFormat(
      "%s has %d shares, which give it %.2f CPUs: %s of CPU time in a window "
      "of "
      "%s.",
      UserName(user.id), user.shares, user.entitlement_cpus,
      Seconds(user.entitlement), Seconds(node.window));
}

std::string Used(const core::UserDecision& user) {
  const bool debt = user.balance < core::CpuTime();
  std::string line = absl::StrFormat(
      "It used %s in this window and %s %s.", Seconds(user.used),
      debt ? "owes" : "has left", Seconds(debt ? -user.balance : user.balance));
  if (user.held > absl::ZeroDuration()) {
    absl::StrAppend(&line, " It was demoted for ", Seconds(user.held),
                    " of it.");
  }
  return line;
}

std::string Rate(const core::UserDecision& user) {
  std::string line =
      absl::StrFormat("It used %.2f CPUs over the last second", user.cpus);
  if (user.demand_cpus.has_value()) {
    absl::StrAppendFormat(&line,
                          "; in the last tick it could have used %.2f CPUs",
                          *user.demand_cpus);
  }
  absl::StrAppend(&line, ".");
  if (user.sampled) {
    absl::StrAppend(&line,
                    " This is put together from single processes and "
                    "misses short-lived ones.");
  }
  return line;
}

std::string Standing(const core::UserDecision& user) {
  absl::string_view figures = user.reason.text;
  absl::ConsumePrefix(&figures, absl::StrCat(StateName(user.state), ": "));
  if (figures.empty()) {
    return absl::StrCat("It is ", StateName(user.state), ".");
  }
  return absl::StrCat("It is ", StateName(user.state), ": ", figures, ".");
}

bool WantsCpu(const core::UserDecision& user) {
  return user.state == core::UserState::kRunning ||
         user.state == core::UserState::kSpent ||
         user.state == core::UserState::kHeld ||
         user.state == core::UserState::kLimited;
}

std::string Others(const core::Decision& decision, const core::UserId& id) {
  std::vector<std::string> named;
  size_t others = 0;
  for (const core::UserDecision& other : decision.users) {
    if (other.id == id || !WantsCpu(other)) continue;
    if (++others <= kNamedUsers) {
      named.push_back(
          absl::StrCat(other.id, " (", StateName(other.state), ")"));
    }
  }
  if (others == 0) return "No other user wants CPU.";
  if (others > kNamedUsers) {
    named.push_back(absl::StrCat("and ", others - kNamedUsers, " more"));
  }
  return absl::StrCat(
      others == 1 ? "1 other user wants" : absl::StrCat(others, " others want"),
      " CPU: ", absl::StrJoin(named, ", "), "; ",
      decision.node.contended ? "somebody waits for it."
                              : "nobody has to wait for it.");
}

std::string TextOf(const core::CpuValues& values) {
  std::string text = absl::StrCat("cpu.weight ", values.weight,
                                  values.idle ? " and cpu.idle 1" : "");
  if (values.ceiling.has_value()) {
    absl::StrAppend(&text, " and a ceiling of ",
                    absl::StrFormat("%.2f CPUs", values.ceiling->cpus()));
  }
  return text;
}

std::string Told(const core::CgroupDecision& cgroup,
                 const runtime::AppliedCgroup& applied) {
  std::string line = absl::StrCat("The kernel was told ", TextOf(cgroup.wanted),
                                  " for ", applied.path);
  if (applied.values.has_value()) {
    absl::StrAppend(&line, " and holds ", TextOf(*applied.values));
  }
  if (!applied.own_values.empty()) {
    absl::StrAppend(&line, ", as the operator has set ", applied.own_values,
                    " for it, which is stricter");
  }
  return absl::StrCat(line, ".");
}

std::string Kernel(const runtime::Snapshot& snapshot,
                   const core::UserDecision& user) {
  const UserEnforcement enforcement = EnforcementOf(snapshot, user);
  if (enforcement.kind == UserEnforcement::Kind::kNotEnforced) {
    return absl::StrCat("This is not enforced: ", enforcement.detail, ".");
  }
  if (snapshot.enforcement != runtime::Enforcement::kEnforcing) {
    return "Nothing is written to the kernel: the mode is observe.";
  }
  if (enforcement.kind == UserEnforcement::Kind::kObserved) {
    return "Nothing is written to the kernel for it: it has no cgroup.";
  }
  const core::CgroupDecision& first = user.cgroups.front();
  std::string line = Told(first, snapshot.applied.cgroups.at(first.inode));
  if (user.cgroups.size() > 1) {
    absl::StrAppend(&line, " So it is with ", user.cgroups.size() - 1,
                    " more cgroups of its.");
  }
  return line;
}

std::string WindowEnds(const core::NodeDecision& node) {
  const absl::Duration left =
      std::max(node.window - node.window_age, absl::ZeroDuration());
  return absl::StrCat("The window ends in ", Seconds(left),
                      " at the latest; tokens are renewed then.");
}

std::string Selected(const core::UserPolicy& policy) {
  const auto one = [](std::string* out, const core::Selector& selector) {
    absl::StrAppend(out, core::KindWords(selector.kind), " ",
                    core::TextOf(selector));
  };
  return absl::StrCat("It is ", absl::StrJoin(policy.selectors, ", ", one),
                      ".");
}

std::string Does(const core::Override& override) {
  switch (override.kind) {
    case core::Override::Kind::kRestrict:
      return absl::StrFormat("It is restricted to %.2f CPUs",
                             static_cast<double>(override.millicpus) / 1000);
    case core::Override::Kind::kBoost:
      return absl::StrCat("It has ", override.factor, " times its shares");
    case core::Override::Kind::kExempt:
      break;
  }
  return "It is exempt";
}

void AddIdleLimit(const UsageView& view, const ViewedUser& user,
                  std::vector<std::string>& lines) {
  const double cpus = view.snapshot->decision.node.cpus;
  if (user.decision == nullptr || !user.decision->limit_cpus.has_value() ||
      *user.decision->limit_cpus <= cpus) {
    return;
  }
  lines.push_back(
      absl::StrFormat("Its limit of %.2f CPUs is more than the node's %.2f, "
                      "and holds nothing.",
                      *user.decision->limit_cpus, cpus));
}

void AddOverride(const UsageView& view, const core::UserId& id,
                 std::vector<std::string>& lines) {
  const auto* it = OverrideFor(*view.contents, id);
  if (it == nullptr) return;
  const DefinedOverride& override = it->second;
  const absl::Duration left = std::max(
      absl::Trunc(override.expire_time - view.snapshot->time, absl::Seconds(1)),
      absl::ZeroDuration());
  lines.push_back(absl::StrCat(
      Does(override.what), " for another ", absl::FormatDuration(left),
      override.why.empty() ? "" : ": ", override.why, "."));
}

std::vector<std::string> ExplainAbsent(const UsageView& view,
                                       const ViewedUser& user) {
  const core::UserPolicy policy = PolicyOf(view, user);
  const core::Decision& decision = view.snapshot->decision;
  return {
      absl::StrCat(UserName(user.id()), " has no process."),
      policy.exempt
          ? std::string("It is exempt: never throttled, but accounted.")
          : absl::StrCat("It has ", policy.shares,
                         " shares, which count once it wants CPU."),
      Selected(policy),
      Others(decision, user.id()),
  };
}

std::vector<std::string> ExplainExempt(const UsageView& view,
                                       const core::UserDecision& user) {
  const core::Decision& decision = view.snapshot->decision;
  return {
      absl::StrCat(UserName(user.id),
                   " is exempt: never throttled, but accounted."),
      "What it uses is taken off what the other users share.",
      Rate(user),
      Others(decision, user.id),
      Kernel(*view.snapshot, user),
  };
}

std::vector<std::string> ExplainUser(const UsageView& view,
                                     const ViewedUser& user) {
  if (user.decision == nullptr ||
      user.decision->state == core::UserState::kAbsent) {
    return ExplainAbsent(view, user);
  }
  const core::UserDecision& decision = *user.decision;
  if (decision.state == core::UserState::kExempt) {
    return ExplainExempt(view, decision);
  }
  const core::Decision& all = view.snapshot->decision;
  return {
      Standing(decision),       Entitled(decision, all.node),
      Used(decision),           Rate(decision),
      Others(all, decision.id), Kernel(*view.snapshot, decision),
      WindowEnds(all.node),
  };
}

}  // namespace

std::vector<std::string> Explain(const UsageView& view,
                                 const ViewedUser& user) {
  std::vector<std::string> lines = ExplainUser(view, user);
  AddIdleLimit(view, user, lines);
  AddOverride(view, user.id(), lines);
  return lines;
}

}  // namespace fairsched::server
