# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# CPU time of sets of processes and of the node. Sourced by bash scripts.

# cpu_times PIDS PIDS...: prints one line of numbers, in clock ticks: what the
# node could have used and what it left idle since it booted, then for each set
# of ids (blanks between them) what its processes used. Fails if one is gone.
#
# One reader at the highest priority takes them all at about the same moment,
# however busy the node is.
cpu_times() {
  nice -n -20 awk -v sets="$#" '
    BEGIN {
      getline line < "/proc/stat"
      split(line, f)
      # user nice system idle iowait irq softirq, without steal.
      for (i = 2; i <= 8; i++) total += f[i]
      idle = f[5] + f[6]
      printf "%.0f %.0f", total, idle
      for (s = 1; s <= sets; s++) {
        used = 0
        n = split(ARGV[s], pids, " ")
        for (i = 1; i <= n; i++) {
          file = "/proc/" pids[i] "/stat"
          if ((getline line < file) <= 0) exit 1
          close(file)
          # The name may hold blanks; behind it utime and stime are 12th, 13th.
          sub(/^.*\) /, "", line)
          split(line, f)
          used += f[12] + f[13]
        }
        printf " %.0f", used
      }
      print ""
      exit 0
    }' "$@"
}

# median NUMBER...: of an odd count.
median() {
  printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"
}

pause_pid=

# pause SECONDS: like sleep, but a trap runs at once, and calls end_pause.
pause() {
  sleep "$1" &
  pause_pid=$!
  wait "$pause_pid"
  pause_pid=
}

end_pause() {
  [[ -z $pause_pid ]] || kill "$pause_pid" 2>/dev/null || true
}
