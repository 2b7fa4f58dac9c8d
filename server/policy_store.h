// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_POLICY_STORE_H_
#define FAIRSCHED_SERVER_POLICY_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/core/policy.h"
#include "agent/runtime/clock.h"
#include "agent/runtime/mutex.h"
#include "server/policy_contents.h"

namespace fairsched::server {

// What holds of every change beside the change itself.
struct ChangeTerms {
  std::string etag;            // must be the current one; empty: any
  bool validate_only = false;  // check and answer, but change nothing
};

// The users, groups, overrides and settings of one node, in memory. Every
// change is validated, makes a new policy of the next revision, and reports it
// before it returns. A change that fails, that is validate_only or that would
// leave everything as it is makes none.
//
// Codes, with reasons of errors.h: InvalidArgument and AlreadyExists (a
// selector) blame fields below "user.", "group.", "override." or "settings.";
// AlreadyExists (the user), NotFound, Aborted (etag), ResourceExhausted
// (kMaxUsers, kMaxGroups) and FailedPrecondition (why_not_enforce, a group with
// members) blame none.
//
// Thread-safe. Reading never waits for a change.
class PolicyStore {
 public:
  static constexpr size_t kMaxUsers = 100'000;
  static constexpr size_t kMaxGroups = 1'000;

  // Called with every new policy, in the order of revisions, by the thread that
  // changes it. Must not call back into the store, except to read.
  using OnChange =
      std::function<void(std::shared_ptr<const core::Policy>, uint64_t)>;

  struct Options {
    core::Settings settings;  // to begin with; must be valid
    size_t max_users = kMaxUsers;
    // Not OK: the mode can't become enforce, and why.
    absl::Status why_not_enforce;
  };
  // The first policy, of revision 1, is in Read() and is not reported.
  PolicyStore(const runtime::Clock& clock, Options options, OnChange on_change);

  // What is stored now; never null.
  std::shared_ptr<const PolicyContents> Read() const
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The revision of a policy that this store made and that still lives.
  std::optional<uint64_t> RevisionOf(const core::Policy& policy) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  absl::StatusOr<DefinedUser> Create(const core::UserId& id,
                                     const UserPatch& patch,
                                     const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  struct Update {
    core::UserId id;
    UserPatch patch;
    // Makes the user of this if it is not defined. Unset: NotFound.
    std::optional<UserPatch> if_missing;
  };
  absl::StatusOr<DefinedUser> UpdateUser(const Update& update,
                                         const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  absl::Status Delete(const core::UserId& id, const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  absl::StatusOr<DefinedGroup> CreateGroup(const core::GroupId& id,
                                           const GroupPatch& patch,
                                           const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);
  struct GroupUpdate {
    core::GroupId id;
    GroupPatch patch;
    // Makes the group of this if it is not defined. Unset: NotFound.
    std::optional<GroupPatch> if_missing;
  };
  absl::StatusOr<DefinedGroup> UpdateGroup(const GroupUpdate& update,
                                           const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);
  absl::Status DeleteGroup(const core::GroupId& id, const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  // In place of the one that is set. NotFound, if `id` is neither defined nor
  // implicit; FailedPrecondition, if an exempt user is to be restricted.
  absl::StatusOr<DefinedOverride> SetOverride(const core::UserId& id,
                                              const OverrideOrder& order,
                                              const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);
  // NotFound: none is set.
  absl::StatusOr<DefinedOverride> GetOverride(const core::UserId& id) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status ClearOverride(const core::UserId& id)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);
  // Ends those whose time has come, by the clock, and says of whom they were.
  // To be called every second or so.
  std::vector<core::UserId> ExpireOverrides()
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  // What names mean from now on: a new policy, of the same revision. None, if
  // it is what they mean already.
  void SetNames(core::KnownNames names)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  absl::StatusOr<DefinedSettings> UpdateSettings(const SettingsPatch& patch,
                                                 const ChangeTerms& terms)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

  // While `why` is not empty the mode of policies is observe, whatever the
  // settings say, which stay as they are and can be changed.
  void HoldObserving(const std::string& why)
      ABSL_LOCKS_EXCLUDED(write_mutex_, mutex_);

 private:
  // Puts a user in the place of the one of its id, or beside the others.
  absl::StatusOr<DefinedUser> Put(const PolicyContents& now, DefinedUser user,
                                  const ChangeTerms& terms)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_);
  absl::StatusOr<DefinedUser> Add(const PolicyContents& now,
                                  const core::UserId& id,
                                  const UserPatch& patch,
                                  const ChangeTerms& terms)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_);
  absl::StatusOr<DefinedGroup> AddGroup(const PolicyContents& now,
                                        const core::GroupId& id,
                                        const GroupPatch& patch,
                                        const ChangeTerms& terms)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_);
  absl::StatusOr<DefinedGroup> PutGroup(const PolicyContents& now,
                                        DefinedGroup group,
                                        const ChangeTerms& terms)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_);
  // Makes `next` what is stored, and its policy.
  void Commit(PolicyContents next) ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Publish(std::shared_ptr<const PolicyContents> next)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const runtime::Clock& clock_;
  const size_t max_users_;
  const absl::Status why_not_enforce_;
  const OnChange on_change_;

  runtime::Mutex write_mutex_;  // held for the whole of a change
  core::KnownNames names_ ABSL_GUARDED_BY(write_mutex_);
  mutable runtime::Mutex mutex_;
  std::shared_ptr<const PolicyContents> contents_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::pair<std::weak_ptr<const core::Policy>, uint64_t>> revisions_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_POLICY_STORE_H_
