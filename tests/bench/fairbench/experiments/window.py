# SPDX-License-Identifier: Apache-2.0
"""Control windows: fairness, starvation, idle CPU, writes, and a log of some."""

import subprocess
import time

from .. import arms, experiment, figures

NAME = "window"
TITLE = "7. Windows"
QUICK = False

PERIOD_S = 0.02


def run(context):
    section = experiment.Section(TITLE, [
        "users", "window", "arm", "longest starvation s", "idle %",
        "worst error over 10 s, median %"])
    for window in context.spans(("10s",), ("1s", "10s", "60s")):
        for name in (arms.LITERAL, arms.FAIRSCHED):
            _row(section, context, 10, 2, window, name)
    _row(section, context, 10, 2, "auto", arms.FAIRSCHED)
    _row(section, context, 2, 4, "auto", arms.FAIRSCHED)
    _log(section, context)
    return section


def _settings(window):
    return () if window == "auto" else ("--window", window)


def _row(section, context, count, hogs, window, name):
    people = experiment.hogs(*[hogs] * count)
    seconds = 75 if window == "60s" else 25
    with experiment.running(context, people), \
            arms.arm(name, context.tools, people, _settings(window)):
        time.sleep(3)
        with figures.Trace(people, PERIOD_S) as trace:
            time.sleep(seconds)
    starved = max(_longest_starvation_s(trace, i) for i in range(count))
    idle = trace.idle_percent()
    errors = [figures.worst_error_percent(used, [1] * count)
              for used in trace.spans(10.0, step=1.0)]
    section.rows.append([count, window, name, f"{starved:.2f}", f"{idle:.2f}",
                         f"{figures.median(errors):.2f}"])
    if name == arms.FAIRSCHED:
        what = f"{count} users, window {window}"
        section.bars.append(experiment.Bar(
            f"{what}: longest starvation {starved:.2f} s <= 2 s", starved <= 2))
        section.bars.append(experiment.Bar(
            f"{what}: idle {idle:.2f} % <= 0.5 %", idle <= 0.5))


def _longest_starvation_s(trace, index):
    """The longest time in which a user had less than 0.1 ms a reading."""
    longest = since = 0.0
    for i in range(1, len(trace.times)):
        width = trace.times[i] - trace.times[i - 1]
        had = trace.used[i][index] - trace.used[i - 1][index]
        since = since + width if had < 1e-4 else 0.0
        longest = max(longest, since)
    return longest


def _log(section, context):
    """Twenty windows of 4 against 20 hogs, as fairctl shows them."""
    people = experiment.hogs(4, 20)
    with experiment.running(context, people), \
            arms.arm(arms.FAIRSCHED, context.tools, people,
                     ("--window", "1s")) as daemon:
        time.sleep(2)
        watch = subprocess.run(
            ["timeout", "23", *daemon.ctl_command("watch", "--windows")],
            capture_output=True, text=True, check=False)
    section.notes += ["", "Windows of 1 s, 4 against 20 hogs:", "", "```",
                      watch.stdout.rstrip(), "```", ""]
