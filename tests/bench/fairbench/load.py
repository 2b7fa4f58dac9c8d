# SPDX-License-Identifier: Apache-2.0
"""Users' processes: how they are started, what they used, how they end."""

import os
import signal
import struct
import subprocess
from dataclasses import dataclass, field

LONGEST_SECONDS = 900


@dataclass(frozen=True)
class Work:
    """What one user runs: `count` processes that are busy, or on and off, or
    rooms of `clients` that chat."""

    count: int
    on_us: int = 0
    off_us: int = 0
    clients: int = 0

    def command(self, tools, counter_file):
        seconds = str(LONGEST_SECONDS)
        if self.clients:
            return [tools.chat, counter_file, seconds, str(self.clients)]
        command = [tools.burn, counter_file, seconds]
        if self.off_us:
            command += [str(self.on_us), str(self.off_us)]
        return command


@dataclass
class User:
    """A user of the node. `uid` is a number that nobody else has."""

    uid: int
    work: Work
    shares: int = 100
    limit: str = ""
    steal: str = ""
    group: str = ""
    cpu: int | None = None  # that its processes are pinned to
    processes: list = field(default_factory=list)


def _counter_file(place, user, number):
    return os.path.join(place, f"pieces.{user.uid}.{number}")


def start(user, tools, place):
    """Starts the user's processes, all in the session of the caller: autogroup
    would make a session of each user's own a fairness that uids don't have."""
    for number in range(user.work.count):
        path = _counter_file(place, user, number)
        with open(path, "wb") as counter:
            counter.write(bytes(8))
        os.chown(path, user.uid, user.uid)
        process = subprocess.Popen(
            ["setpriv", "--reuid", str(user.uid), "--regid", str(user.uid),
             "--clear-groups", "--"] + user.work.command(tools, path))
        if user.cpu is not None:
            os.sched_setaffinity(process.pid, {user.cpu})
        user.processes.append(process)


def stop(user):
    for process in user.processes:
        process.kill()
    for process in user.processes:
        process.wait()
    user.processes = []


def pause(user):
    for process in user.processes:
        process.send_signal(signal.SIGSTOP)


def resume(user):
    for process in user.processes:
        process.send_signal(signal.SIGCONT)


def used_s(user):
    """CPU time of the user's processes since they were started."""
    total_ns = 0
    for process in user.processes:
        with open(f"/proc/{process.pid}/schedstat", encoding="ascii") as text:
            total_ns += int(text.read().split()[0])
    return total_ns / 1e9


def pieces(user, place):
    """Pieces of work that the user's processes have done."""
    total = 0
    for number in range(user.work.count):
        with open(_counter_file(place, user, number), "rb") as counter:
            total += struct.unpack("=Q", counter.read(8))[0]
    return total
