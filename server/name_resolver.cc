// SPDX-License-Identifier: Apache-2.0
#include "server/name_resolver.h"

#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>

namespace fairsched::server {
namespace {

using runtime::MutexLock;

// While many uids are looked up, news of them wait so long: each makes a new
// policy.
constexpr absl::Duration kBetweenNews = absl::Seconds(1);

template <typename Value>
struct Entry {
  Value value{};  // empty: not known
  absl::Duration due = -absl::InfiniteDuration();
};
using Numbers = std::map<std::string, Entry<std::optional<int64_t>>>;

bool IsKnown(const std::optional<int64_t>& number) {
  return number.has_value();
}
bool IsKnown(const std::set<int64_t>& gids) { return !gids.empty(); }

// Asks for one. Whether that is news.
template <typename Key, typename Value, typename LookUp>
bool Ask(const LookUp& look_up, const Key& key, absl::Duration now,
         absl::Duration known_for, Entry<Value>& entry) {
  absl::StatusOr<Value> found = look_up(key);
  entry.due = now + (found.ok() && IsKnown(*found) ? known_for
                                                   : NameResolver::kUnknownFor);
  if (!found.ok() || *found == entry.value) return false;
  entry.value = *std::move(found);
  return true;
}

// Whether something known was dropped.
bool Adopt(const std::set<std::string>& wanted, Numbers& numbers) {
  bool dropped = false;
  std::erase_if(numbers, [&](const auto& each) {
    const bool drop = !wanted.contains(each.first);
    dropped |= drop && IsKnown(each.second.value);
    return drop;
  });
  for (const std::string& name : wanted) numbers.try_emplace(name);
  return dropped;
}

}  // namespace

// What the thread works on. It may outlive the resolver by a look-up that
// hangs, and then touches nothing outside of this.
class NameResolver::Thread {
 public:
  Thread(const runtime::Clock& clock, NameService service, OnChange on_change)
      : service_(std::move(service)),
        clock_(&clock),
        on_change_(std::move(on_change)) {}

  void SetNames(std::set<std::string> logins,
                std::set<std::string> unix_groups) {
    {
      MutexLock lock(wanted_mutex_);
      wanted_.logins = std::move(logins);
      wanted_.unix_groups = std::move(unix_groups);
    }
    Wake();
  }
  void SetUids(std::set<int64_t> uids) {
    {
      MutexLock lock(wanted_mutex_);
      if (wanted_.uids == uids) return;
      wanted_.uids = std::move(uids);
      if (wanted_.unix_groups.empty()) return;
    }
    Wake();
  }
  void Stop() {
    {
      MutexLock lock(outside_mutex_);
      clock_ = nullptr;
    }
    Wake();
  }
  void Run() {
    for (;;) {
      const std::optional<absl::Duration> now = Now();
      if (!now.has_value() || !LookUpDue(*now)) return;
      WaitUntilDue();
    }
  }

 private:
  struct Wanted {
    std::set<std::string> logins, unix_groups;
    std::set<int64_t> uids;
  };

  void Wake() {
    // A binary semaphore must not be released twice.
    if (!woken_.exchange(true)) wake_.release();
  }

  // nullopt: it is time to stop.
  std::optional<absl::Duration> Now() {
    MutexLock lock(outside_mutex_);
    if (clock_ == nullptr) return std::nullopt;
    return clock_->Now();
  }

  // False: it is time to stop.
  bool LookUpDue(absl::Duration now) {
    changed_ |= AdoptWanted(now);
    return LookUpNames(service_.uid_of_login, now, logins_) &&
           LookUpNames(service_.gid_of_group, now, groups_) &&
           LookUpUids(now) && Publish();
  }

  template <typename LookUp>
  bool LookUpNames(const LookUp& look_up, absl::Duration now, Numbers& names) {
    for (auto& [name, entry] : names) {
      if (entry.due > now) continue;
      changed_ |= Ask(look_up, name, now, kKnownFor, entry);
      // At once: the next one may hang.
      if (!Publish()) return false;
    }
    return true;
  }

  bool LookUpUids(absl::Duration now) {
    absl::Duration last_news = now;
    for (auto& [uid, entry] : uids_) {
      if (entry.due > now) continue;
      changed_ |= Ask(service_.gids_of_uid, uid, now, kMemberFor, entry);
      const std::optional<absl::Duration> by_now = Now();
      if (!by_now.has_value()) return false;
      if (*by_now - last_news < kBetweenNews) continue;
      last_news = *by_now;
      if (!Publish()) return false;
    }
    return true;
  }

  // Whether something known was dropped.
  bool AdoptWanted(absl::Duration now) {
    Wanted wanted;
    {
      MutexLock lock(wanted_mutex_);
      wanted = wanted_;
    }
    bool dropped = Adopt(wanted.logins, logins_);
    dropped |= Adopt(wanted.unix_groups, groups_);
    if (wanted.unix_groups.empty()) wanted.uids.clear();
    std::erase_if(uids_, [&](const auto& each) {
      const bool drop =
          wanted.unix_groups.empty() ||
          (!wanted.uids.contains(each.first) && each.second.due <= now);
      dropped |= drop && IsKnown(each.second.value);
      return drop;
    });
    for (const int64_t uid : wanted.uids) uids_.try_emplace(uid);
    return dropped;
  }

  core::KnownNames Known() const {
    core::KnownNames known;
    for (const auto& [name, login] : logins_) {
      if (login.value.has_value()) known.logins[name] = *login.value;
    }
    for (const auto& [name, group] : groups_) {
      if (!group.value.has_value()) continue;
      std::set<int64_t>& members = known.unix_groups[name];
      for (const auto& [uid, gids] : uids_) {
        if (gids.value.contains(*group.value)) members.insert(uid);
      }
    }
    return known;
  }

  // What has changed, if something has. False: it is time to stop.
  bool Publish() {
    core::KnownNames known;
    if (changed_) known = Known();
    MutexLock lock(outside_mutex_);
    if (clock_ == nullptr) return false;
    if (std::exchange(changed_, false)) on_change_(std::move(known));
    return true;
  }

  void WaitUntilDue() {
    // Looked at so often at least, however the clock goes.
    if (wake_.try_acquire_for(absl::ToChronoNanoseconds(kUnknownFor)))
      woken_ = false;
  }

  const NameService service_;
  // Of the thread only.
  Numbers logins_, groups_;
  std::map<int64_t, Entry<std::set<int64_t>>> uids_;  // their gids
  bool changed_ = false;

  runtime::Mutex wanted_mutex_;
  Wanted wanted_ ABSL_GUARDED_BY(wanted_mutex_);

  // Held while anything of the resolver's owner is used.
  runtime::Mutex outside_mutex_;
  const runtime::Clock* clock_ ABSL_GUARDED_BY(outside_mutex_);  // null: stop
  const OnChange on_change_;

  std::atomic<bool> woken_ = false;  // wake_ was or is being released
  std::binary_semaphore wake_{0};
};

NameResolver::NameResolver(const runtime::Clock& clock, NameService service,
                           OnChange on_change)
    : state_(std::make_shared<Thread>(clock, std::move(service),
                                      std::move(on_change))) {}

NameResolver::~NameResolver() { state_->Stop(); }

void NameResolver::SetNames(std::set<std::string> logins,
                            std::set<std::string> unix_groups) {
  MutexLock lock(mutex_);
  if (logins.empty() && unix_groups.empty() && !started_) return;
  state_->SetNames(std::move(logins), std::move(unix_groups));
  if (std::exchange(started_, true)) return;
  std::thread([state = state_] { state->Run(); }).detach();
}

void NameResolver::SetUids(std::set<int64_t> uids) {
  state_->SetUids(std::move(uids));
}

}  // namespace fairsched::server
