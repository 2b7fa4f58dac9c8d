# SPDX-License-Identifier: Apache-2.0
"""What every experiment needs: users that run, an arm, a trace of both."""

import contextlib
import time
from dataclasses import dataclass, field

from . import arms, figures, load

FIRST_UID = 60620


@dataclass
class Bar:
    """A number to reach, and whether it was."""

    text: str
    holds: bool


@dataclass
class Section:
    """An experiment's part of the report: a table, notes and bars."""

    title: str
    columns: list
    rows: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    bars: list = field(default_factory=list)


@dataclass
class Context:
    """Where an experiment runs, and how long it may take."""

    tools: arms.Tools
    place: str
    quick: bool

    def spans(self, quick, full):
        return quick if self.quick else full


def users(*works, shares=None):
    """A user for each kind of work, of equal shares unless they are given."""
    return [load.User(FIRST_UID + i, work, shares=share)
            for i, (work, share) in enumerate(
                zip(works, shares or [100] * len(works)))]


def hogs(*counts, shares=None):
    return users(*[load.Work(count) for count in counts], shares=shares)


@contextlib.contextmanager
def running(context, people):
    try:
        for user in people:
            load.start(user, context.tools, context.place)
        yield
    finally:
        for user in people:
            load.stop(user)


def traced(context, name, people, seconds, warm_up_s=5.0, settings=()):
    """Runs people's work in an arm; the trace of `seconds` after a warm-up."""
    with running(context, people), arms.arm(name, context.tools, people, settings):
        time.sleep(warm_up_s)
        with figures.Trace(people) as trace:
            time.sleep(seconds)
    return trace


def work_rates(context, name, people, seconds, warm_up_s):
    """Runs people's work in an arm; pieces of it that each did in a second, over
    `seconds` after a warm-up."""
    def done():
        return [load.pieces(user, context.place) for user in people]

    with running(context, people), arms.arm(name, context.tools, people):
        time.sleep(warm_up_s)
        begin, since = done(), time.monotonic()
        time.sleep(seconds)
        end, took = done(), time.monotonic() - since
    return [(b - a) / took for a, b in zip(begin, end)]


def ticks_to(user, cpus, most=30):
    """Ticks of 0.1 s until one in which it used so many CPUs."""
    for tick in range(1, most + 1):
        if cpus_used(user, 0.1) >= cpus:
            return tick
    return most


def cpus_used(user, seconds):
    """CPUs that it uses in the next `seconds`."""
    begin, used = time.monotonic(), load.used_s(user)
    time.sleep(seconds)
    return (load.used_s(user) - used) / (time.monotonic() - begin)
