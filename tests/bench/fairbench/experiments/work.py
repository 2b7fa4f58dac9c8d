# SPDX-License-Identifier: Apache-2.0
"""Completed work of everybody: fairsched off, observing and enforcing."""

import time

from .. import arms, experiment, figures

NAME = "work"
TITLE = "9. Work conservation"
QUICK = True

ARMS = (arms.PLAIN, arms.OBSERVE, arms.FAIRSCHED)


def run(context):
    section = experiment.Section(
        TITLE, ["load", "arm", "pieces of work, % of plain", "least", "most"])
    rounds, seconds = context.spans((2, 8), (7, 15))
    for what, counts in (("4 and 20 hogs", (4, 20)), ("1 and 2 hogs", (1, 2))):
        _case(section, context, what, counts, rounds, seconds)
    return section


def _case(section, context, what, counts, rounds, seconds):
    parts = {name: [] for name in ARMS}
    for _ in range(rounds):
        rates = {name: _rate(context, name, counts, seconds) for name in ARMS}
        for name in ARMS:
            parts[name].append(100 * rates[name] / rates[arms.PLAIN])
    for name in ARMS:
        section.rows.append([what, name, f"{figures.median(parts[name]):.2f}",
                             f"{min(parts[name]):.2f}", f"{max(parts[name]):.2f}"])
    median = figures.median(parts[arms.FAIRSCHED])
    section.bars.append(experiment.Bar(
        f"{what}: {median:.2f} % of the work of the plain kernel, >= 99 %",
        median >= 99))


def _rate(context, name, counts, seconds):
    """Pieces of work in a second, by all."""
    people = experiment.hogs(*counts)
    with experiment.running(context, people), \
            arms.arm(name, context.tools, people):
        time.sleep(3)
        begin = experiment.work_done(context, people)
        time.sleep(seconds)
        end = experiment.work_done(context, people)
    return (end[1] - begin[1]) / (end[0] - begin[0])
