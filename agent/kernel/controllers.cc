// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/controllers.h"

#include <algorithm>
#include <vector>

#include "agent/kernel/kernel_text.h"

namespace fairsched::kernel {

bool ListsController(absl::string_view text, absl::string_view controller) {
  const std::vector<absl::string_view> words = Words(text);
  return std::find(words.begin(), words.end(), controller) != words.end();
}

}  // namespace fairsched::kernel
