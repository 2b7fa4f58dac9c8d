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


def users(*works, **options):
    """A user for each kind of work, of equal shares unless they are given."""
    shares = options.get("shares") or [100] * len(works)
    return [load.User(FIRST_UID + i, work, shares=share)
            for i, (work, share) in enumerate(zip(works, shares))]


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


def work_done(context, people):
    """(when, pieces of work that all have done)."""
    return time.monotonic(), sum(load.pieces(user, context.place) for user in people)
