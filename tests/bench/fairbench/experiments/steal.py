# SPDX-License-Identifier: Apache-2.0
"""Users with limits, some asleep: what idles, with and without steal (2011)."""

import time

from .. import arms, experiment, figures, load, node

NAME = "steal"
TITLE = "5. Limits and steal"
QUICK = True

STEALS = ("0", "100ms", "unlimited")
PEOPLE = 5


def run(context):
    section = experiment.Section(TITLE, [
        "users", "steal", "idle %", "used by each, CPUs",
        "woken: ticks to 90 % of its limit, median", "each"])
    seconds = context.spans(8, 20)
    for hogs in context.spans(((4, 4, 4, 4, 4),), ((4, 4, 4, 4, 4), (1, 2, 4, 8, 16))):
        for steal in context.spans(STEALS[::2], STEALS):
            _row(section, context, hogs, steal, seconds, context.spans(3, 11))
    return section


def _row(section, context, hogs, steal, seconds, wakes):
    limit = node.cpus() / PEOPLE
    people = experiment.hogs(*hogs)
    for user in people:
        user.limit, user.steal = f"{limit:g}cpu", steal
    sleeper = people[-1]
    ticks = []
    with experiment.running(context, people):
        load.pause(sleeper)
        with arms.arm(arms.FAIRSCHED, context.tools, people):
            time.sleep(5)
            with figures.Trace(people) as trace:
                time.sleep(seconds)
            for _ in range(wakes):
                load.resume(sleeper)
                ticks.append(experiment.ticks_to(sleeper, 0.9 * limit))
                load.pause(sleeper)
                time.sleep(2)
    idle, used = trace.idle_percent(), trace.cpus()
    median = figures.median(ticks)
    section.rows.append([
        "/".join(map(str, hogs)) + ", the last asleep", steal, f"{idle:.2f}",
        " ".join(f"{u:.3f}" for u in used), median, " ".join(map(str, ticks))])
    if steal == "0":
        off = max(abs(u / limit - 1) for u in used[:-1]) * 100
        section.bars.append(experiment.Bar(
            f"limits without steal: off by {off:.2f} % at most, <= 0.5 %", off <= 0.5))
    elif steal == "unlimited":
        section.bars.append(experiment.Bar(
            f"unlimited steal: idle {idle:.2f} % <= 0.5 %", idle <= 0.5))
    section.bars.append(experiment.Bar(
        f"steal {steal}: woken user at 90 % of its limit in {median} ticks, <= 3",
        median <= 3))
