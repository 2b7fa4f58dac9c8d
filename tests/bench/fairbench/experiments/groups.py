# SPDX-License-Identifier: Apache-2.0
"""Groups of unequal shares, whatever the number of their members."""

import time

from .. import arms, experiment, figures, load

NAME = "groups"
TITLE = "Groups of shares 200 and 100, of one and three busy members"
QUICK = False


def run(context):
    section = experiment.Section(
        TITLE, ["what", "part of each member %", "due %", "off by points"])
    people = experiment.hogs(4, 4, 8, 2)
    for user, group in zip(people, ("first", "second", "second", "second")):
        user.group = group
    with experiment.running(context, people), \
            arms.arm(arms.FAIRSCHED, context.tools, people,
                     groups={"first": 200, "second": 100}):
        time.sleep(8)
        seconds = context.spans(10, 20)
        third = 100 / 3
        _row(section, "all busy", people, seconds, [2 * third] + [third / 3] * 3)
        load.pause(people[-1])
        time.sleep(3)
        _row(section, "the last member sleeps", people, seconds,
             [2 * third, third / 2, third / 2, 0])
    return section


def _row(section, what, people, seconds, due):
    with figures.Trace(people) as trace:
        time.sleep(seconds)
    used = trace.cpus()
    parts = [100 * u / sum(used) for u in used]
    off = max(abs(part - d) for part, d in zip(parts, due))
    section.rows.append([what, " ".join(f"{part:.2f}" for part in parts),
                         " ".join(f"{d:.2f}" for d in due), f"{off:.2f}"])
    section.bars.append(experiment.Bar(
        f"{what}: off by {off:.2f} points at most, <= 1", off <= 1))
