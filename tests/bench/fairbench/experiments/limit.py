# SPDX-License-Identifier: Apache-2.0
"""One user with a limit beside one without: how exact, by how many writes."""

import time

from .. import arms, experiment, figures

NAME = "limit"
TITLE = "A limit of 0.3 CPUs with 8 hogs beside 8 hogs without"
QUICK = False

LIMIT = 0.3
CEILING_FILES = ("cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us")


def run(context):
    section = experiment.Section(
        TITLE, ["interval", "used, CPUs", "off by %", "least in 1 s", "most in 1 s",
                "writes of its ceiling in a minute"])
    for interval in context.spans(("100ms",), ("20ms", "100ms", "500ms", "2s")):
        _row(section, context, interval, 20)
    return section


def _ceiling_writes(daemon):
    return sum(daemon.metric("fairsched_cgroup_writes_total", f'file="{name}"')
               for name in CEILING_FILES)


def _row(section, context, interval, seconds):
    people = experiment.hogs(8, 8)
    people[0].limit = f"{LIMIT}cpu"
    with experiment.running(context, people), \
            arms.arm(arms.FAIRSCHED, context.tools, people,
                     ("--interval", interval)) as daemon:
        time.sleep(5)
        writes = _ceiling_writes(daemon)
        with figures.Trace(people) as trace:
            time.sleep(seconds)
        writes = _ceiling_writes(daemon) - writes
    used = trace.cpus()[0]
    off = 100 * abs(used / LIMIT - 1)
    seconds_of_it = [span[0] for span in trace.spans(1.0, step=0.25)]
    section.rows.append([
        interval, f"{used:.4f}", f"{off:.2f}", f"{min(seconds_of_it):.3f}",
        f"{max(seconds_of_it):.3f}", f"{writes * 60 / seconds:.0f}"])
    section.bars.append(experiment.Bar(
        f"interval {interval}: limit off by {off:.2f} % <= 1 %", off <= 1))
