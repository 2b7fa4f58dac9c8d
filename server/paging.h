// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_PAGING_H_
#define FAIRSCHED_SERVER_PAGING_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/core/policy.h"

namespace fairsched::server {

struct PageBounds {
  size_t standard = 50;  // when 0 is asked for
  size_t most = 1000;    // when more is asked for
};

// How many to return. INVALID_ARGUMENT of `page_size` if it is negative.
absl::StatusOr<size_t> PageSize(int32_t requested, PageBounds bounds);

// An opaque token that goes on behind `last`, in lists of `collection` only.
// It stays good whatever is added or deleted meanwhile.
std::string PageToken(absl::string_view collection, const core::UserId& last);

// The id to go on behind; empty for an empty token, the start. INVALID_ARGUMENT
// of `page_token` for a token that is not from PageToken(collection, ...).
absl::StatusOr<core::UserId> ParsePageToken(absl::string_view collection,
                                            absl::string_view token);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_PAGING_H_
