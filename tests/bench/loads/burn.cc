// SPDX-License-Identifier: Apache-2.0
//
// burn FILE SECONDS [ON_US OFF_US]
//
// Uses CPU, all the time or ON_US of CPU time by turns with OFF_US of sleep,
// for SECONDS at most. The first eight bytes of FILE count pieces of work.

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/bench/loads/counter.h"

namespace fairsched::bench {
namespace {

int64_t NowUs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

// About 20 us that the compiler can't leave out.
void Work() {
  for (volatile int i = 0; i < 20'000;) i = i + 1;
}

int Run(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::fprintf(stderr, "burn: takes FILE SECONDS [ON_US OFF_US]\n");
    return 2;
  }
  std::atomic<uint64_t>* pieces = MapCounter(argv[1]);
  if (pieces == nullptr) {
    std::perror("burn: counter file");
    return 1;
  }
  const int64_t end_us =
      NowUs(CLOCK_MONOTONIC) + std::atoll(argv[2]) * 1'000'000;
  const int64_t on_us = argc == 5 ? std::atoll(argv[3]) : 0;
  const int64_t off_us = argc == 5 ? std::atoll(argv[4]) : 0;
  const timespec off{.tv_sec = off_us / 1'000'000,
                     .tv_nsec = off_us % 1'000'000 * 1000};
  while (NowUs(CLOCK_MONOTONIC) < end_us) {
    const int64_t turn_end_us = NowUs(CLOCK_PROCESS_CPUTIME_ID) + on_us;
    do {
      Work();
      pieces->fetch_add(1, std::memory_order_relaxed);
    } while (NowUs(CLOCK_PROCESS_CPUTIME_ID) < turn_end_us);
    if (off_us > 0) nanosleep(&off, nullptr);
  }
  return 0;
}

}  // namespace
}  // namespace fairsched::bench

int main(int argc, char** argv) { return fairsched::bench::Run(argc, argv); }
