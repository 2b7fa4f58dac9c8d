# SPDX-License-Identifier: Apache-2.0
"""Shares of users of different thread counts and weights, on all CPUs."""

from .. import arms, experiment, figures

NAME = "smp"
TITLE = "8. Shares among users of different thread counts"
QUICK = True

# (hogs of each user, shares of each user)
CASES = (
    ((1, 2, 4, 8, 16), None),
    ((1, 1, 1), None),
    ((2, 4), (100, 200)),
    ((1, 40), None),
    ((4, 4), (10, 90)),
    ((4, 4), (1, 99)),
)


def run(context):
    section = experiment.Section(TITLE, [
        "hogs", "shares", "arm", "worst error over 10 s, median %", "90 % of spans",
        "worst", "spans <= 1 %", "Jain of 1 s, least", "error over the whole run %"])
    cases = CASES[:1] if context.quick else CASES
    seconds = context.spans(20, 60)
    names = (arms.WEIGHTS, arms.FAIRSCHED) if context.quick else (
        arms.WEIGHTS, arms.LITERAL, arms.FAIRSCHED)
    for counts, shares in cases:
        for name in names:
            _row(section, context, name, counts, shares, seconds)
    return section


def _row(section, context, name, counts, shares, seconds):
    people = experiment.hogs(*counts, shares=shares)
    trace = experiment.traced(context, name, people, seconds)
    parts = [user.shares for user in people]
    errors = [figures.worst_error_percent(span, parts)
              for span in trace.spans(10.0, step=0.5)]
    jain = min(figures.jain(span, parts) for span in trace.spans(1.0, step=0.5))
    whole = figures.worst_error_percent(trace.cpus(), parts)
    held = sum(error <= 1.0 for error in errors) / len(errors)
    section.rows.append([
        "/".join(map(str, counts)), "/".join(map(str, parts)), name,
        f"{figures.median(errors):.2f}", f"{figures.quantile(errors, 0.9):.2f}",
        f"{max(errors):.2f}", f"{held * 100:.0f} %", f"{jain:.4f}", f"{whole:.2f}"])
    if name == arms.FAIRSCHED:
        section.bars.append(experiment.Bar(
            f"{'/'.join(map(str, counts))} hogs: worst error over 10 s, median"
            f" {figures.median(errors):.2f} % <= 1 %", figures.median(errors) <= 1.0))
