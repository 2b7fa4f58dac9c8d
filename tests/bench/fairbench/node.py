# SPDX-License-Identifier: Apache-2.0
"""This node: its CPUs, idle time and cgroup hierarchies."""

import os


def cpus():
    return len(os.sched_getaffinity(0))


def idle_s():
    """Time in which CPUs idled since boot, summed over them."""
    with open("/proc/stat", encoding="ascii") as text:
        fields = text.readline().split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def cpu_hierarchy():
    """(directory, is_v2) of the mounted hierarchy with the cpu controller."""
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        for line in mounts:
            before, after = line.split(" - ")
            directory = before.split()[4]
            kind, _, options = after.split()[:3]
            if kind == "cgroup" and "cpu" in options.split(","):
                return directory, False
            if kind == "cgroup2":
                path = os.path.join(directory, "cgroup.controllers")
                with open(path, encoding="ascii") as controllers:
                    if "cpu" in controllers.read().split():
                        return directory, True
    raise RuntimeError("no hierarchy with the cpu controller is mounted")


def why_not():
    """Why no experiment can be run here; None if they can."""
    if os.geteuid() != 0:
        return "it needs root, to start processes of other uids"
    try:
        directory, _ = cpu_hierarchy()
        probe = os.path.join(directory, f"fairsched-bench-{os.getpid()}")
        os.mkdir(probe)
        os.rmdir(probe)
    except (RuntimeError, OSError) as error:
        return str(error)
    return None


def describe():
    model = "unknown CPU"
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        for line in text:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    directory, is_v2 = cpu_hierarchy()
    return {
        "cpus": cpus(),
        "model": model,
        "kernel": os.uname().release,
        "cpu_controller": f"cgroup {'v2' if is_v2 else 'v1'} at {directory}",
    }
