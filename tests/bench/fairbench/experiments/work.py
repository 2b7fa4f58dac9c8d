# SPDX-License-Identifier: Apache-2.0
"""Completed work of everybody: fairsched off, observing and enforcing."""

from .. import arms, experiment, figures

NAME = "work"
TITLE = "9. Work conservation"
QUICK = True

CASES = (("4 and 20 hogs", (4, 20)), ("1 and 2 hogs", (1, 2)))
ARMS = (arms.PLAIN, arms.OBSERVE, arms.FAIRSCHED)


def run(context):
    section = experiment.Section(
        TITLE, ["load", "arm", "pieces of work, % of plain", "least", "most"])
    rounds, seconds = context.spans((2, 8), (7, 15))
    for what, counts in context.spans(CASES[:1], CASES):
        _case(section, context, what, counts, rounds, seconds)
    return section


def _case(section, context, what, counts, rounds, seconds):
    parts = {name: [] for name in ARMS}
    for _ in range(rounds):
        rates = {name: sum(experiment.work_rates(
            context, name, experiment.hogs(*counts), seconds, warm_up_s=3))
                 for name in ARMS}
        for name in ARMS:
            parts[name].append(100 * rates[name] / rates[arms.PLAIN])
    for name in ARMS:
        section.rows.append([what, name, f"{figures.median(parts[name]):.2f}",
                             f"{min(parts[name]):.2f}", f"{max(parts[name]):.2f}"])
    median = figures.median(parts[arms.FAIRSCHED])
    section.bars.append(experiment.Bar(
        f"{what}: {median:.2f} % of the work of the plain kernel, >= 99 %",
        median >= 99))
