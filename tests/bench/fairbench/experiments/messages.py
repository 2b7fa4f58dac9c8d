# SPDX-License-Identifier: Apache-2.0
"""Chat rooms of two users, equal and unequal counts, over loopback sockets."""

from .. import arms, experiment
from ..load import Work

NAME = "messages"
TITLE = "2. Messages"
QUICK = True

CLIENTS = 10


def run(context):
    section = experiment.Section(TITLE, [
        "rooms", "arm", "lines/s of the first", "of the second", "of both",
        "part of the first %"])
    cases = context.spans(((1, 4),), ((2, 2), (1, 4), (1, 10)))
    names = context.spans(
        (arms.PLAIN, arms.FAIRSCHED),
        (arms.PLAIN, arms.WEIGHTS, arms.LITERAL, arms.FAIRSCHED))
    for rooms in cases:
        for name in names:
            _row(section, context, rooms, name, context.spans(6, 15))
    return section


def _row(section, context, rooms, name, seconds):
    people = experiment.users(*[Work(count, clients=CLIENTS) for count in rooms])
    lines = experiment.work_rates(context, name, people, seconds, warm_up_s=4)
    section.rows.append([
        "/".join(map(str, rooms)), name, *[f"{rate:.0f}" for rate in lines],
        f"{sum(lines):.0f}", f"{100 * lines[0] / sum(lines):.1f}"])
