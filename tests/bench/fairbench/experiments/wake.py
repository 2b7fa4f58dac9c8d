# SPDX-License-Identifier: Apache-2.0
"""A user that was quiet comes back beside one that had all."""

import time

from .. import arms, experiment, figures, load, node

NAME = "wake"
TITLE = "A quiet user comes back"
QUICK = False


def run(context):
    section = experiment.Section(
        TITLE, ["arm", "use alone, % of the node",
                "ticks to 90 % of the share, median", "most", "each"])
    for name in (arms.WEIGHTS, arms.FAIRSCHED):
        _row(section, context, name, context.spans(5, 20))
    return section


def _row(section, context, name, wakes):
    people = experiment.hogs(4, 4)
    quiet, busy = people
    alone, ticks = [], []
    with experiment.running(context, people):
        load.pause(quiet)
        with arms.arm(name, context.tools, people):
            time.sleep(3)
            for _ in range(wakes):
                alone.append(100 * experiment.cpus_used(busy, 2) / node.cpus())
                load.resume(quiet)
                ticks.append(experiment.ticks_to(quiet, 0.9 * node.cpus() / 2))
                load.pause(quiet)
                time.sleep(1)
    median = figures.median(ticks)
    section.rows.append([name, f"{figures.median(alone):.1f}", median, max(ticks),
                         " ".join(map(str, ticks))])
    if name == arms.FAIRSCHED:
        section.bars += [
            experiment.Bar(f"alone it has {figures.median(alone):.1f} % of the node,"
                           " >= 98 %", figures.median(alone) >= 98),
            experiment.Bar(f"back at its share in {median} ticks, median <= 3",
                           median <= 3),
            experiment.Bar(f"worst {max(ticks)} ticks <= 6", max(ticks) <= 6)]
