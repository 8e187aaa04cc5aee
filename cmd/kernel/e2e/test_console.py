"""The kernel in a terminal, by jupyter console."""

import os
import pty
import select
import signal
import time

from conftest import PATIENCE


def until(terminal, words):
    """The output of the terminal up to these words."""
    seen = b""
    end = time.time() + PATIENCE
    while words not in seen:
        assert time.time() < end, seen
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 1 << 16)
    return seen


def test_progress_stays_on_its_line():
    child, terminal = pty.fork()
    if child == 0:
        os.execlp("jupyter", "jupyter", "console", "--kernel=goanvil", "--simple-prompt")
    try:
        until(terminal, b"In [1]: ")
        os.write(terminal, b"for range display.Progress(8) { time.Sleep(100*time.Millisecond) }\n\n")
        shown = until(terminal, b"In [2]: ")
        assert b"\r0 of 8 (0%)\r" in shown and b"8 of 8 (100%)" in shown and b"<div>" not in shown, shown
        assert shown.count(b" of 8") > 3 and b"of 8\n" not in shown, shown
        os.write(terminal, b"quit\n")
        until(terminal, b"Shutting down kernel")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
