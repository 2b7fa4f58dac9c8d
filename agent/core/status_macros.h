// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_STATUS_MACROS_H_
#define FAIRSCHED_AGENT_CORE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The only two macros that return for you; anything longer is written out.
#define RETURN_IF_ERROR(expr)                                       \
  do {                                                              \
    if (absl::Status status_of_expr = (expr); !status_of_expr.ok()) \
      return status_of_expr;                                        \
  } while (false)

#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_(STATUS_CONCAT_(status_or_, __LINE__), lhs, expr)
// A declaration on the left can't be in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define ASSIGN_OR_RETURN_(tmp, lhs, expr) \
  auto tmp = (expr);                      \
  if (!tmp.ok()) return tmp.status();     \
  lhs = *std::move(tmp)
// NOLINTEND(bugprone-macro-parentheses)
#define STATUS_CONCAT_(a, b) STATUS_CONCAT_2_(a, b)
#define STATUS_CONCAT_2_(a, b) a##b

#endif  // FAIRSCHED_AGENT_CORE_STATUS_MACROS_H_
