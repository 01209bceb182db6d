"""Runs a script of this folder within the tests' own process, which takes less time than a process for each run."""

import contextlib
import io
import os
import runpy
import signal
import sys
import unittest.mock
from typing import NamedTuple, Optional

from tests import SCRIPTS


class Result(NamedTuple):
    """The status of a script, its output, and what it wrote to the standard error."""

    returncode: int
    stdout: str
    stderr: str


def run(script: str, *arguments, environment: Optional[dict] = None) -> Result:
    """Runs a script with arguments, and with an environment in the place of that of the tests."""
    output, messages = io.StringIO(), io.StringIO()
    words = [str(SCRIPTS / script), *map(str, arguments)]
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    with contextlib.ExitStack() as stack:
        stack.enter_context(unittest.mock.patch.object(sys, "argv", words))
        stack.enter_context(unittest.mock.patch.object(sys, "path", list(sys.path)))
        stack.enter_context(unittest.mock.patch.dict(os.environ, environment or dict(os.environ), clear=True))
        stack.enter_context(contextlib.redirect_stdout(output))
        stack.enter_context(contextlib.redirect_stderr(messages))
        try:
            runpy.run_path(words[0], run_name="__main__")
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
    return Result(status, output.getvalue(), messages.getvalue())
