// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_CORE_CPU_TIME_H_
#define FAIRSCHED_AGENT_CORE_CPU_TIME_H_

#include <cmath>
#include <compare>
#include <cstdint>

#include "absl/time/time.h"

namespace fairsched::core {

// CPU time, in whole microseconds (the unit of cpu.stat). Not wall time: two
// busy CPUs use 2 s of CPU time per second of wall time, so the two never
// convert into each other without a number of CPUs. May be negative (a debt).
class CpuTime {
 public:
  constexpr CpuTime() = default;
  static constexpr CpuTime Usec(int64_t usec) { return CpuTime(usec); }
  static constexpr CpuTime Msec(int64_t msec) { return CpuTime(msec * 1000); }
  // `cpus` CPUs busy for all of `wall`.
  static CpuTime Of(double cpus, absl::Duration wall) {
    return CpuTime(std::llround(cpus * absl::ToDoubleMicroseconds(wall)));
  }

  constexpr int64_t usec() const { return usec_; }
  constexpr double seconds() const { return static_cast<double>(usec_) / 1e6; }
  // How many CPUs this keeps busy for all of `wall` (> 0).
  double Cpus(absl::Duration wall) const {
    return seconds() / absl::ToDoubleSeconds(wall);
  }
  // The fraction `part`, rounded to the nearest microsecond.
  CpuTime Scale(double part) const {
    return CpuTime(std::llround(static_cast<double>(usec_) * part));
  }

  constexpr CpuTime& operator+=(CpuTime other) {
    usec_ += other.usec_;
    return *this;
  }
  constexpr CpuTime& operator-=(CpuTime other) {
    usec_ -= other.usec_;
    return *this;
  }
  friend constexpr CpuTime operator+(CpuTime a, CpuTime b) { return a += b; }
  friend constexpr CpuTime operator-(CpuTime a, CpuTime b) { return a -= b; }
  friend constexpr CpuTime operator-(CpuTime a) { return CpuTime(-a.usec_); }
  friend constexpr CpuTime operator*(CpuTime a, int64_t n) {
    return CpuTime(a.usec_ * n);
  }
  // The dimensionless ratio of two CPU times; `b` must not be zero.
  friend constexpr double operator/(CpuTime a, CpuTime b) {
    return static_cast<double>(a.usec_) / static_cast<double>(b.usec_);
  }
  friend constexpr auto operator<=>(CpuTime, CpuTime) = default;

 private:
  explicit constexpr CpuTime(int64_t usec) : usec_(usec) {}
  int64_t usec_ = 0;
};

}  // namespace fairsched::core

#endif  // FAIRSCHED_AGENT_CORE_CPU_TIME_H_
