"""Measures one process: CPU time and peak memory, as the kernel accounts for them."""

import os
import statistics
import sys
import tempfile

# The kernel's high-water mark of a process starts at what its parent held when it started it. So
# the command is started by an interpreter that holds next to nothing: no site, no os module.
STARTER = """
import posix, sys
posix.set_inheritable(3, False)
pid = posix.posix_spawn(sys.argv[1], sys.argv[1:], posix.environ)
status, usage = posix.wait4(pid, 0)[1:]
figures = status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
posix.write(3, repr(figures).encode())
"""


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
    """Runs a command (its program given as a path) to its end.

    CPU time is user and system time of the whole process, its start included.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, \
            tempfile.TemporaryFile() as figures:
        actions = [(os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        if keep_output:
            actions.append((os.POSIX_SPAWN_DUP2, out.fileno(), 1))
        else:
            actions.append((os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0))
        # Last: one of the other files may stand at 3.
        actions.append((os.POSIX_SPAWN_DUP2, figures.fileno(), 3))
        pid = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", STARTER, *command],
                             os.environ, file_actions=actions)
        started = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        for file in (out, err, figures):
            file.seek(0)
        message = err.read().decode("utf-8", "replace").strip().splitlines()
        if not started:
            return Run(0, 0, b"", message[-1][:200] if message else "it could not be started")
        status, seconds, peak_kib = (float(part) for part in
                                     figures.read().decode().strip("()").split(","))
        code = os.waitstatus_to_exitcode(int(status))
        failed = None
        if code:
            failed = message[-1][:200] if message else f"exit status {code}"
        return Run(seconds, peak_kib * 1024, out.read(), failed)


def measure(command, runs):
    """A warm-up, then `runs` runs; a string that says why where the command fails."""
    first = run_once(command)
    if first.failed:
        return first.failed
    return Figure([run_once(command) for _ in range(runs)])


def least_peak():
    """What the starter itself holds, in bytes: smaller peaks can't be seen."""
    return run_once(["/bin/true"]).peak_bytes
