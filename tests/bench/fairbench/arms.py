# SPDX-License-Identifier: Apache-2.0
"""The arms of an experiment: who divides the CPU among the users."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request

from . import node

PLAIN, WEIGHTS, LITERAL, FAIRSCHED = "plain", "weights", "literal", "fairsched"
OBSERVE = "observe"

# Of the arms that have a daemon.
_SETTINGS = {
    LITERAL: ("--mode", "enforce", "--pacing", "none"),
    FAIRSCHED: ("--mode", "enforce"),
    OBSERVE: ("--mode", "observe"),
}


class Tools:
    """Where the binaries are."""

    def __init__(self, build):
        self.fairschedd = os.path.join(build, "server/fairschedd")
        self.fairctl = os.path.join(build, "client/fairctl")
        self.burn = os.path.join(build, "tests/bench/burn")
        self.chat = os.path.join(build, "tests/bench/chat")


class Daemon:
    """A fairschedd with state of its own, whose users are these uids alone."""

    def __init__(self, tools, uids):
        self._tools = tools
        self.place = tempfile.mkdtemp(prefix="fairsched-bench.")
        os.chmod(self.place, 0o711)
        self._log = open(os.path.join(self.place, "log"), "wb")
        self._process = subprocess.Popen(
            self._command(), stdout=self._log, stderr=self._log)
        try:
            self._await()
            self.ctl("settings", "set", "--uid-ranges",
                     ",".join(str(uid) for uid in sorted(uids)) or "none")
        except BaseException:
            self.stop()
            raise

    def _command(self):
        daemon = [self._tools.fairschedd, "--state-dir", f"{self.place}/state",
                  "--runtime-dir", f"{self.place}/run",
                  "--socket", f"{self.place}/api.sock",
                  "--http-address", "127.0.0.1:0", "--placement", "own"]
        os.makedirs(f"{self.place}/state")
        os.makedirs(f"{self.place}/run")
        with open("/proc/1/comm", encoding="ascii") as name:
            if name.read().strip() != "systemd":
                return daemon
        return ["systemd-run", "--quiet", "--scope", "-p", "Delegate=cpu",
                f"--unit=fairsched-bench-{os.getpid()}"] + daemon

    def _await(self):
        for _ in range(100):
            if self._process.poll() is not None:
                break
            with contextlib.suppress(subprocess.CalledProcessError):
                self.ctl("status")
                return
            time.sleep(0.1)
        with open(f"{self.place}/log", encoding="utf-8") as log:
            raise RuntimeError(f"fairschedd did not come up: {log.read()}")

    def ctl_command(self, *arguments):
        return [self._tools.fairctl, "--address",
                f"unix:{self.place}/api.sock", *arguments]

    def ctl(self, *arguments):
        """Runs fairctl, returns what it printed."""
        return subprocess.run(self.ctl_command(*arguments), check=True,
                              capture_output=True, text=True).stdout

    def ctl_json(self, *arguments):
        return json.loads(self.ctl("-o", "json", *arguments))

    def metric(self, name, label=""):
        """Of /metrics, the sum of a name's series with the label."""
        with open(f"{self.place}/run/http.address", encoding="ascii") as address:
            url = f"http://{address.read().strip()}/metrics"
        with urllib.request.urlopen(url, timeout=5) as answer:
            lines = answer.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines
                   if line.startswith((name + "{", name + " ")) and label in line)

    def stop(self):
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            subprocess.run([self._tools.fairschedd, "--release", "--state-dir",
                            f"{self.place}/state", "--runtime-dir",
                            f"{self.place}/run"], check=False)
        self._log.close()
        shutil.rmtree(self.place, ignore_errors=True)


def _define(daemon, user):
    options = ["--uid", str(user.uid), "--shares", str(user.shares)]
    if user.limit:
        options += ["--limit", user.limit]
    if user.steal:
        options += ["--steal", user.steal]
    if user.group:
        options += ["--group", user.group]
    daemon.ctl("user", "set", f"bench-{user.uid}", *options)


@contextlib.contextmanager
def _daemon(tools, users, settings, groups):
    daemon = Daemon(tools, [user.uid for user in users])
    try:
        for group, shares in groups.items():
            daemon.ctl("group", "set", group, "--shares", str(shares))
        for user in users:
            _define(daemon, user)
        daemon.ctl("settings", "set", *settings)
        yield daemon
    finally:
        daemon.stop()


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


@contextlib.contextmanager
def _weights(users):
    """A cgroup a user, of a weight by its shares: what systemd gives."""
    mount, is_v2 = node.cpu_hierarchy()
    top = os.path.join(mount, f"fairsched-bench-{os.getpid()}")
    os.mkdir(top)
    groups = []
    try:
        if is_v2:
            _write(f"{top}/cgroup.subtree_control", "+cpu")
        for user in users:
            group = f"{top}/uid-{user.uid}"
            os.mkdir(group)
            groups.append(group)
            if is_v2:
                _write(f"{group}/cpu.weight", str(user.shares))
            else:
                _write(f"{group}/cpu.shares", str(user.shares * 1024 // 100))
            for process in user.processes:
                _write(f"{group}/cgroup.procs", str(process.pid))
        yield None
    finally:
        procs = os.path.join(mount, "cgroup.procs")
        for group in groups:
            with open(f"{group}/cgroup.procs", encoding="ascii") as pids:
                for pid in pids.read().split():
                    with contextlib.suppress(ProcessLookupError):
                        _write(procs, pid)
            os.rmdir(group)
        os.rmdir(top)


@contextlib.contextmanager
def arm(name, tools, users, settings=(), groups=None):
    """Divides the CPU among users, whose processes run, while it is entered.
    `groups` has shares by name. Gives the daemon, where there is one."""
    if name == PLAIN:
        yield None
    elif name == WEIGHTS:
        with _weights(users):
            yield None
    else:
        with _daemon(tools, users, (*_SETTINGS[name], *settings),
                     groups or {}) as daemon:
            yield daemon
