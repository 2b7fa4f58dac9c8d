# SPDX-License-Identifier: Apache-2.0
"""What the fairness number says of divisions that are fair, and of one that is
not."""

import time

from .. import arms, experiment, figures
from ..load import Work

NAME = "fairness"
TITLE = "The fairness number"
QUICK = False


def run(context):
    section = experiment.Section(
        TITLE, ["load", "arm", "fairness, median", "least", "Jain", "lost",
                "steadiness", "least x", "flagged"])
    hogs = experiment.hogs
    limited = hogs(4, 4)
    limited[0].limit = "0.5cpu"
    pinned = hogs(2, 2, 2)
    pinned[0].cpu = pinned[1].cpu = 0
    monitored = experiment.users(Work(1, on_us=5_000, off_us=95_000), Work(4), Work(8))
    for what, people in (("4 and 4 hogs", hogs(4, 4)),
                         ("4 and 20 hogs", hogs(4, 20)),
                         ("shares 100 and 900", hogs(4, 4, shares=[100, 900])),
                         ("one of two limited to 0.5 CPUs", limited),
                         ("two of three pinned to one CPU", pinned),
                         ("a monitor beside 4 and 8 hogs", monitored)):
        numbers = _row(section, context, what, people, arms.FAIRSCHED)
        section.bars.append(experiment.Bar(
            f"{what}: fairness {numbers:.4f} >= 0.995", numbers >= 0.995))
    plain = _row(section, context, "4 and 20 hogs", hogs(4, 20), arms.OBSERVE)
    section.bars.append(experiment.Bar(
        f"4 and 20 hogs by the plain kernel: {plain:.4f} <= 0.9", plain <= 0.9))
    return section


def _row(section, context, what, people, arm):
    seconds = context.spans(10, 25)
    with experiment.running(context, people), \
            arms.arm(arm, context.tools, people, ("--window", "1s")) as daemon:
        time.sleep(12)
        spans = []
        for _ in range(seconds):
            time.sleep(1)
            span = daemon.ctl_json("status")["usage"].get("fairness")
            if span:
                spans.append(span)
    if not spans:
        raise RuntimeError(f"{what}: no span was contended")

    def middle(key):
        return figures.median([span.get(key, 1) for span in spans])

    numbers = [span["fairness"] for span in spans]
    section.rows.append([
        what, arm, f"{figures.median(numbers):.4f}", f"{min(numbers):.4f}",
        f"{middle('jain'):.4f}", f"{middle('lostRatio'):.4f}",
        f"{middle('steadiness'):.4f}", f"{middle('minX'):.3f}",
        f"{sum(span['flagged'] for span in spans)} of {len(spans)}"])
    return figures.median(numbers)
