// SPDX-License-Identifier: Apache-2.0
#include "server/login_resolver.h"

#include <atomic>
#include <chrono>
#include <map>
#include <semaphore>
#include <thread>
#include <utility>

namespace fairsched::server {

using runtime::MutexLock;

// What the thread works on. It may outlive the resolver by a look-up that
// hangs, and then touches nothing outside of this.
class LoginResolver::Thread {
 public:
  Thread(const runtime::Clock& clock, LookUp look_up, OnChange on_change)
      : look_up_(std::move(look_up)),
        clock_(&clock),
        on_change_(std::move(on_change)) {}

  void SetLogins(std::set<std::string> logins) {
    {
      MutexLock lock(wanted_mutex_);
      wanted_ = std::move(logins);
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
  struct Login {
    std::optional<int64_t> uid;
    absl::Duration due = -absl::InfiniteDuration();
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
    bool changed = AdoptWanted();
    for (auto& [name, login] : logins_) {
      if (login.due > now) continue;
      const absl::StatusOr<std::optional<int64_t>> uid = look_up_(name);
      if (uid.ok()) {
        changed |= *uid != login.uid;
        login.uid = *uid;
      }
      const bool known = uid.ok() && uid->has_value();
      login.due = now + (known ? kKnownFor : kUnknownFor);
      // At once: the next one may hang.
      if (!Publish(std::exchange(changed, false))) return false;
    }
    return Publish(changed);
  }

  // Whether something known was dropped.
  bool AdoptWanted() {
    std::set<std::string> wanted;
    {
      MutexLock lock(wanted_mutex_);
      wanted = wanted_;
    }
    bool dropped = false;
    std::erase_if(logins_, [&](const auto& each) {
      const bool drop = !wanted.contains(each.first);
      dropped |= drop && each.second.uid.has_value();
      return drop;
    });
    for (const std::string& name : wanted) logins_.try_emplace(name);
    return dropped;
  }

  // False: it is time to stop.
  bool Publish(bool changed) {
    core::LoginUids uids;
    for (const auto& [name, login] : logins_) {
      if (changed && login.uid.has_value()) uids[name] = *login.uid;
    }
    MutexLock lock(outside_mutex_);
    if (clock_ == nullptr) return false;
    if (changed) on_change_(std::move(uids));
    return true;
  }

  void WaitUntilDue() {
    // Looked at so often at least, however the clock goes.
    if (wake_.try_acquire_for(absl::ToChronoNanoseconds(kUnknownFor)))
      woken_ = false;
  }

  const LookUp look_up_;
  std::map<std::string, Login> logins_;  // of the thread only

  runtime::Mutex wanted_mutex_;
  std::set<std::string> wanted_ ABSL_GUARDED_BY(wanted_mutex_);

  // Held while anything of the resolver's owner is used.
  runtime::Mutex outside_mutex_;
  const runtime::Clock* clock_ ABSL_GUARDED_BY(outside_mutex_);  // null: stop
  const OnChange on_change_;

  std::atomic<bool> woken_ = false;  // wake_ was or is being released
  std::binary_semaphore wake_{0};
};

LoginResolver::LoginResolver(const runtime::Clock& clock, LookUp look_up,
                             OnChange on_change)
    : state_(std::make_shared<Thread>(clock, std::move(look_up),
                                      std::move(on_change))) {}

LoginResolver::~LoginResolver() { state_->Stop(); }

void LoginResolver::SetLogins(std::set<std::string> logins) {
  MutexLock lock(mutex_);
  if (logins.empty() && !started_) return;
  state_->SetLogins(std::move(logins));
  if (std::exchange(started_, true)) return;
  std::thread([state = state_] { state->Run(); }).detach();
}

}  // namespace fairsched::server
