# SPDX-License-Identifier: Apache-2.0
"""The main job: 4 hogs against 20, shares changed as it runs, root beside them."""

import time

from .. import arms, experiment, figures, load
from ..load import Work

NAME = "shares"
TITLE = "Shares of 4 against 20 hogs, changed while they run"
QUICK = False

SPAN_S = 10
SETTLE_S = 2


def run(context):
    section = experiment.Section(
        TITLE, ["what", "part of the 4 hogs %", "due %", "root's hog, CPUs"])
    few, many = people = experiment.hogs(4, 20)
    with experiment.running(context, people), \
            arms.arm(arms.FAIRSCHED, context.tools, people) as daemon:
        time.sleep(5)
        for shares in (100, 300, 100):
            daemon.ctl("user", "set", f"bench-{few.uid}", "--shares", str(shares))
            time.sleep(SETTLE_S)
            _row(section, f"shares {shares}:100", people,
                 100 * shares / (shares + many.shares))
        root = load.User(0, Work(1))
        with experiment.running(context, [root]):
            time.sleep(SETTLE_S)
            _row(section, "a hog of root beside them", people, 50, root)
    return section


def _row(section, what, people, due, root=None):
    everybody = people + ([root] if root else [])
    with figures.Trace(everybody) as trace:
        time.sleep(SPAN_S)
    used = trace.cpus()
    part = 100 * used[0] / (used[0] + used[1])
    roots = f"{used[2]:.2f}" if root else "-"
    section.rows.append([what, f"{part:.2f}", f"{due:.0f}", roots])
    section.bars.append(experiment.Bar(
        f"{what}: {part:.2f} % for the 4, {due:.0f} within 1", abs(part - due) <= 1))
