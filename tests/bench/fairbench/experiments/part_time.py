# SPDX-License-Identifier: Apache-2.0
"""Users that work and sleep by turns, beside users that always work."""

from .. import arms, experiment, figures
from ..load import Work

NAME = "part-time"
TITLE = "Users that sleep and work by turns, beside hogs"
QUICK = False

# The first windows know little of what a user wants.
SETTLED_S = 10.0
HALF_BUSY = Work(2, on_us=10_000, off_us=10_000)
MONITOR = Work(1, on_us=600, off_us=19_400)


def run(context):
    section = experiment.Section(
        TITLE, ["case", "arm", "figure", "median", "least", "most"])
    rounds, seconds = context.spans((1, 10), (3, 15))
    _half_busy(section, context, rounds, seconds)
    _monitor(section, context, rounds, seconds)
    return section


def _add(section, case, arm, figure, values):
    section.rows.append([case, arm, figure, f"{figures.median(values):.2f}",
                         f"{min(values):.2f}", f"{max(values):.2f}"])


def _half_busy(section, context, rounds, seconds):
    """Its demand is what it uses alone, in the same round."""
    kept = {arms.WEIGHTS: [], arms.FAIRSCHED: []}
    for _ in range(rounds):
        alone = experiment.users(HALF_BUSY)
        demand = experiment.traced(
            context, arms.PLAIN, alone, 5, warm_up_s=1).cpus()[0]
        for name, parts in kept.items():
            people = experiment.users(HALF_BUSY, Work(4))
            trace = experiment.traced(context, name, people, seconds, SETTLED_S)
            parts.append(100 * trace.cpus()[0] / demand)
    for name, parts in kept.items():
        _add(section, "2 x 10 ms on, 10 ms off beside 4 hogs", name,
             "% of its demand", parts)
    median = figures.median(kept[arms.FAIRSCHED])
    section.bars.append(experiment.Bar(
        f"half-busy user keeps {median:.1f} % of its demand, >= 95 %", median >= 95))


def _monitor(section, context, rounds, seconds):
    ratios = {arms.WEIGHTS: [], arms.FAIRSCHED: []}
    for _ in range(rounds):
        for name, values in ratios.items():
            people = experiment.users(MONITOR, Work(4), Work(4),
                                      shares=[100, 90, 10])
            trace = experiment.traced(context, name, people, seconds)
            _, of_a, of_b = trace.cpus()
            values.append(of_a / of_b)
    for name, values in ratios.items():
        _add(section, "90:10 beside a monitor of 3 %", name, "A:B", values)
    median = figures.median(ratios[arms.FAIRSCHED])
    section.bars.append(experiment.Bar(
        f"A:B is {median:.2f}, 9 +- 5 %", 8.55 <= median <= 9.45))
