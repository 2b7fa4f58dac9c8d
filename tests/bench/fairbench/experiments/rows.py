# SPDX-License-Identifier: Apache-2.0
"""Scenarios that broke a naive engine, on the real kernel."""

import time

from .. import arms, experiment, figures, load
from ..load import Work

NAME = "scenarios"
TITLE = "Scenarios that break a naive engine, on the real kernel"
QUICK = False

JOB_US, SLEEP_US = 20_000, 500_000
ONE_MS_OF_100 = Work(1, on_us=1_000, off_us=99_000)


def run(context):
    section = experiment.Section(
        TITLE, ["scenario", "plain weights", "fairsched", "must be", "ok"])
    for row in (_small_limit, _limit_after_idling, _short_job, _latecomer):
        row(section, context)
    return section


def _add(section, scenario, plain, ours, must, holds):
    section.rows.append([scenario, plain, ours, must, "ok" if holds else "NOT OK"])
    section.bars.append(experiment.Bar(f"{scenario}: {ours}, {must}", holds))


def _small_limit(section, context):
    """A limit of 0.02 with unlimited steal gains nothing beside hogs."""
    people = experiment.hogs(1, 4)
    people[0].limit, people[0].steal = "20m", "unlimited"
    trace = experiment.traced(context, arms.FAIRSCHED, people, 20,
                              settings=("--window", "1s"))
    had = trace.cpus()[0]
    _add(section, "limit 0.02, steal unlimited, beside 4 hogs, window 1 s", "-",
         f"{had:.3f} CPUs", "<= 0.04", had <= 0.04)


def _limit_after_idling(section, context):
    """Alone it stole all; when another comes it has its limit, not less."""
    people = experiment.hogs(4, 4)
    limited, other = people
    limited.limit, limited.steal = "400m", "unlimited"
    with experiment.running(context, people):
        load.pause(other)
        with arms.arm(arms.FAIRSCHED, context.tools, people, ("--window", "4s")):
            time.sleep(10)
            load.resume(other)
            with figures.Trace(people) as trace:
                time.sleep(10)
    had = [span[0] for span in trace.spans(1.0, step=0.25)]
    _add(section, "limit 0.4, steal unlimited, alone for 10 s, then another; window 4 s",
         "-", f"{min(had):.3f}..{max(had):.3f} in any 1 s", "0.36..0.44",
         0.36 <= min(had) and max(had) <= 0.44)


def _short_job(section, context):
    """A user whose share is used up has a short job done beside hogs soon: its
    jobs want twice what a hundredth of the shares gives, so it is always behind
    the others when one begins."""
    took = {}
    for name in (arms.WEIGHTS, arms.FAIRSCHED):
        people = experiment.users(Work(1, JOB_US, SLEEP_US), Work(4),
                                  shares=[10, 1000])
        trace = experiment.traced(context, name, people, 20)
        # A job and the sleep after it.
        turn_s = JOB_US / 1e6 / trace.cpus()[0]
        took[name] = turn_s - SLEEP_US / 1e6
    _add(section, "a job of 20 ms of a user that used up its share, beside 4 hogs",
         f"{took[arms.WEIGHTS]:.2f} s", f"{took[arms.FAIRSCHED]:.2f} s", "<= 1.2 s",
         took[arms.FAIRSCHED] <= 1.2)


def _latecomer(section, context):
    """A user of 1 ms in 100 beside hogs is late by its wake-ups, not starved."""
    people = experiment.users(ONE_MS_OF_100, Work(8))
    with experiment.running(context, people), \
            arms.arm(arms.FAIRSCHED, context.tools, people) as daemon:
        time.sleep(25)
        status = daemon.ctl_json("status")
    number = _fairness(status)
    _add(section, "fairness number, 1 ms in 100 ms beside 8 hogs", "-",
         "none" if number is None else f"{number:.3f}", "1 within 0.005",
         number is not None and number >= 0.995)


def _fairness(status):
    """The fairness number in a status of any nesting; None: nobody contended."""
    for key, value in status.items():
        if key == "fairness" and not isinstance(value, dict):
            return float(value)
        if isinstance(value, dict):
            found = _fairness(value)
            if found is not None:
                return found
    return None
