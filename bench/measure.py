"""Measures one process: CPU time and peak memory, as the kernel accounts for them."""

import os
import statistics
import tempfile


class Run:
    """What one process took; `failed` is None, or why it failed."""

    def __init__(self, seconds, peak_bytes, output, failed):
        self.seconds = seconds
        self.peak_bytes = peak_bytes
        self.output = output
        self.failed = failed


class Figure:
    """Several runs of one command."""

    def __init__(self, runs):
        self.minimum = min(run.seconds for run in runs)
        self.median = statistics.median(run.seconds for run in runs)
        self.peak_bytes = max(run.peak_bytes for run in runs)


def run_once(command, keep_output=False):
    """Runs a command to its end. CPU time is user and system time of the whole process.

    The peak is the kernel's high-water mark, which starts at what this very process held when it
    started the command: keep the importing script small.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        actions = [(os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        if keep_output:
            actions.append((os.POSIX_SPAWN_DUP2, out.fileno(), 1))
        else:
            actions.append((os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0))
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        out.seek(0)
        err.seek(0)
        output = out.read()
        code = os.waitstatus_to_exitcode(status)
        failed = None
        if code:
            lines = err.read().decode("utf-8", "replace").strip().splitlines()
            failed = lines[-1][:200] if lines else f"exit status {code}"
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output, failed)


def measure(command, runs):
    """A warm-up, then `runs` runs; a string that says why where the command fails."""
    first = run_once(command)
    if first.failed:
        return first.failed
    return Figure([run_once(command) for _ in range(runs)])


def own_peak():
    """This process's own high-water mark in bytes: smaller peaks can't be seen."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0
