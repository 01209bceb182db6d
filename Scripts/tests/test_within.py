import pathlib
import subprocess
import time
import unittest

WITHIN = pathlib.Path(__file__).resolve().parent.parent / "within"


def within(*arguments):
    return subprocess.run([WITHIN, *arguments], capture_output=True, text=True, check=False)


class WithinTests(unittest.TestCase):
    def test_the_status_and_the_output_are_the_commands_own(self):
        result = within("1", "sh", "-c", "echo out; echo err >&2; exit 7")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (7, "out\n", "err\n"))
        self.assertEqual(within("1", "sh", "-c", "kill -TERM $$").returncode, 128 + 15)

    def test_what_takes_too_long_is_ended_with_all_that_it_started(self):
        started = time.monotonic()
        result = within("0.005", "sh", "-c", "trap '' TERM; sleep 60 & echo $!; wait; wait")
        self.assertEqual(result.returncode, 124)
        self.assertIn("not done after 0.005 minutes", result.stderr)
        self.assertLess(time.monotonic() - started, 30)
        state = subprocess.run(["ps", "-o", "stat=", "-p", result.stdout.strip()], capture_output=True, text=True)
        self.assertIn(state.stdout.strip()[:1], ("", "Z"), "gone, or only not yet buried")

    def test_a_wrong_call_says_what_was_expected(self):
        for arguments in ((), ("soon", "true"), ("1",), ("0", "true")):
            result = within(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn("expected: within MINUTES COMMAND", result.stderr)


if __name__ == "__main__":
    unittest.main()
