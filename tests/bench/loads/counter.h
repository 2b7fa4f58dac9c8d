// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_BENCH_LOADS_COUNTER_H_
#define FAIRSCHED_TESTS_BENCH_LOADS_COUNTER_H_

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace fairsched::bench {

// The first eight bytes of a file as a counter that others may read at any
// time. Null, with errno, if it can't be made. Never unmapped.
inline std::atomic<uint64_t>* MapCounter(const char* path) {
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (ftruncate(file, sizeof(uint64_t)) == 0) {
    memory = mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED,
                  file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  return new (memory) std::atomic<uint64_t>(0);
}

}  // namespace fairsched::bench

#endif  // FAIRSCHED_TESTS_BENCH_LOADS_COUNTER_H_
