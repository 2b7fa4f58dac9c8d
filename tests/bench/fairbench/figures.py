# SPDX-License-Identifier: Apache-2.0
"""Figures of a run: spans, errors against the fair division, Jain's index."""

import bisect
import os
import statistics
import threading
import time

from . import load, node


class Trace:
    """What users used, read every 0.1 s on a thread of the highest priority."""

    def __init__(self, users, period_s=0.1):
        self._users = users
        self._period_s = period_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.times, self.used, self.idle = [], [], []

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -20)
        while not self._stop.is_set():
            self.times.append(time.monotonic())
            self.used.append([load.used_s(user) for user in self._users])
            self.idle.append(node.idle_s())
            self._stop.wait(self._period_s)

    def _at(self, when):
        """What each had used at a moment, between two readings."""
        right = min(max(bisect.bisect(self.times, when), 1), len(self.times) - 1)
        left = right - 1
        width = self.times[right] - self.times[left]
        part = (when - self.times[left]) / width if width else 0.0
        return [a + (b - a) * part
                for a, b in zip(self.used[left], self.used[right])]

    def spans(self, seconds, step):
        """Use of each in every span of so many seconds, one each `step`."""
        begin, found = self.times[0], []
        while begin + seconds <= self.times[-1] + 1e-3:
            found.append([b - a for a, b in zip(self._at(begin),
                                                self._at(begin + seconds))])
            begin += step
        return found

    def _span_s(self):
        return self.times[-1] - self.times[0]

    def cpus(self):
        """CPUs that each used, on average of the whole trace."""
        return [(b - a) / self._span_s()
                for a, b in zip(self.used[0], self.used[-1])]

    def idle_percent(self):
        """Of the node, over the whole trace."""
        return 100 * (self.idle[-1] - self.idle[0]) / (
            self._span_s() * node.cpus())


def worst_error_percent(used, parts):
    """How far the user furthest off is from its part of what all used."""
    total = sum(used)
    whole = sum(parts)
    return max(abs(u / (total * p / whole) - 1.0)
               for u, p in zip(used, parts)) * 100.0


def jain(used, parts):
    x = [u / p for u, p in zip(used, parts)]
    return sum(x) ** 2 / (len(x) * sum(v * v for v in x))


def quantile(values, q):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


median = statistics.median
