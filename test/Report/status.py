"""Runs a command and prints how it ended: exit status, whether standard output
is empty, and standard error.

usage: status.py COMMAND [ARGUMENT...]
"""
import subprocess
import sys

run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, capture_output=True)
print(f"exit {run.returncode}, {'some' if run.stdout else 'no'} output")
sys.stdout.flush()
sys.stdout.buffer.write(run.stderr)
