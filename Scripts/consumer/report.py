"""What the consumer test prints, and the status it exits with."""

import sys


class Report:
    def __init__(self) -> None:
        self.failures = 0

    def figure(self, name: str, value: str) -> None:
        print(f"  {name:<46}{value}", flush=True)

    def require(self, holds: bool, name: str, found: str, expected: str) -> None:
        """Prints a figure, and counts a failure if it is not what is expected."""
        if holds:
            self.figure(name, found)
            return
        self.failures += 1
        print(f"  {name}: expected {expected}, found {found}", file=sys.stderr, flush=True)

    def fail(self, message: str) -> None:
        self.failures += 1
        print(f"  {message}", file=sys.stderr, flush=True)

    def status(self) -> int:
        print("consumer-test: passed" if self.failures == 0 else f"consumer-test: {self.failures} failed", flush=True)
        return 1 if self.failures else 0
