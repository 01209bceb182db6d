import os
import platform
import pty
import shutil
import signal
import sys
import unittest

from tests.machine import FAKES, Machine

STREET = "--multiroot-data-file {0}/the repository/Astrolabe.xcworkspace --scratch-path {0}/the repository/.build"
APP = "swift build --product astronomy-shop --configuration {1} " + STREET
BUILD = "swift build --product astrolabe-local --configuration {1} " + STREET
CONSOLE = "swift build --product astrolabe --configuration {1} " + STREET
RESOLVE = "swift package resolve " + STREET
TESTS = "swift build --build-tests --configuration {1} " + STREET
LAB_TESTS = "swift build --product labPackageTests --configuration {1} " + STREET


class RunTests(unittest.TestCase):
    def test_without_a_command_it_prints_the_help(self):
        with Machine(fakes=()) as machine:
            result = machine.run()
            self.assertEqual(result.status, 0)
            run = ("demo", "console", "shop-server", "shopper", "simulate", "fleet", "history", "import", "keys", "mcp")
            run += ("export", "clickhouse", "backup, restore")
            for command in run + ("test", "check", "docs", "format", "bench", "fuzz", "doctor"):
                self.assertIn(f"\n  {command}", result.output)
            self.assertEqual(machine.run("--help"), result)

    def test_an_unknown_command_builds_nothing(self):
        with Machine() as machine:
            result = machine.run("dmeo")
            self.assertEqual((result.status, machine.calls), (2, []))
            self.assertEqual(
                result.messages,
                "astrolabe: unknown command 'dmeo'; run './astrolabe help' to list the commands\n",
            )

    def test_a_program_receives_its_arguments_and_directory_and_returns_its_status_and_output(self):
        for shell in filter(shutil.which, ("sh", "dash", "bash")):
            with self.subTest(shell), Machine(shell=shell) as machine:
                result = machine.run("console", "--port", "", "a b", directory=str(machine.bin), FAKE_STATUS="7")
                self.assertEqual(result.output, f"<console><--port><><a b>\n{machine.bin}\n")
                self.assertEqual(result.status, 7)
                self.assertEqual(machine.calls, [line.format(machine.root, "debug") for line in (RESOLVE, CONSOLE)])

    def test_what_needs_tls_grpc_clickhouse_or_keys_runs_the_program_that_has_them(self):
        with Machine() as machine:
            for arguments in (["keys"], ["demo", "--grpc-port=0", "--once"], ["demo", "--once", "--store", "x"]):
                machine.forget()
                machine.edit()
                machine.run(*arguments)
                self.assertEqual(machine.calls[-1], CONSOLE.format(machine.root, "debug"), arguments)
            machine.forget()
            machine.run("query")
            self.assertEqual(machine.calls[-1], BUILD.format(machine.root, "debug"))
            (machine.repository / ".astrolabe/keys.json").touch()
            for directory, product in ((str(machine.bin), BUILD), (str(machine.repository), CONSOLE)):
                machine.edit()
                machine.run("query", directory=directory)
                self.assertEqual(machine.calls[-1], product.format(machine.root, "debug"), directory)

    def test_on_a_mac_what_needs_the_simulated_phone_says_so_and_builds_nothing(self):
        with Machine() as machine:
            for command in ("demo", "simulate", "bench"):
                result = machine.run(command, FAKE_SYSTEM="Darwin")
                self.assertEqual((result.status, machine.calls), (1, []), command)
                self.assertIn("the simulated phone runs on Linux only; on a Mac run the shop in Xcode", result.messages)
            self.assertEqual(machine.run("demo", "--once", FAKE_SYSTEM="Darwin").status, 0)

    def test_a_section_of_the_benchmarks_builds_what_it_measures(self):
        with Machine() as machine:
            all_products = ["astrolabe", "astronomy-shop", "benchmarks"]
            for arguments, products in (
                ([], all_products),
                (["--short"], all_products),
                (["spans", "trips"], all_products),
                (["soak", "--minutes", "2", "--store-size", "0.05"], ["astrolabe", "benchmarks"]),
                (["spans", "--short"], ["benchmarks"]),
                (["hour", "--minutes", "2"], ["benchmarks"]),
                (["--list"], ["benchmarks"]),
            ):
                machine.forget()
                machine.edit()
                machine.run("bench", *arguments)
                built = [call.split()[3] for call in machine.calls if call.startswith("swift build --product ")]
                self.assertEqual(built, products, arguments)

    def test_check_with_a_file_evaluates_its_alerts(self):
        with Machine() as machine:
            result = machine.run("check", "a.yaml", "--console", "http://127.0.0.1:1", FAKE_STATUS="1")
            self.assertEqual(result.output.split("\n")[0], "<check><a.yaml><--console><http://127.0.0.1:1>")
            self.assertEqual((result.status, machine.calls[-1]), (1, BUILD.format(machine.root, "debug")))

    def test_the_build_leaves_the_programs_input_alone(self):
        with Machine() as machine:
            machine.mark("program", "#!/bin/sh\nexec cat\n")
            self.assertEqual(machine.run("shopper", stdin="one\ntwo\n").output, "one\ntwo\n")

    def test_slow_steps_are_announced_once_and_a_second_run_is_silent(self):
        with Machine() as machine:
            first, second = machine.run("demo"), machine.run("demo")
            self.assertEqual(
                first.messages.split("\n")[:2],
                [
                    "Fetching the dependencies.",
                    "Building astrolabe. The first build compiles the dependencies and takes several minutes.",
                ],
            )
            self.assertNotIn("Fetching", second.messages)
            self.assertNotIn("Building", second.messages)

    def test_without_a_terminal_progress_is_shown_every_20_seconds(self):
        with Machine() as machine:
            # Each call of `date` is 15 seconds later; each 10 steps make one.
            machine.mark("many-steps")
            clock = machine.bin / "date"
            clock.unlink()  # a link to the real one
            later = 'read -r now <"$MACHINE/now"; now=$((now + 15)); echo $now; echo $now >"$MACHINE/now"'
            clock.write_text(f"#!/bin/sh\n{later}\n")
            clock.chmod(0o755)
            machine.mark("now", "0")
            messages = machine.run("demo", "--once").messages
            self.assertRegex(messages, r"\n  30 s of about 180 s: Compiling A\n  60 s of about 180 s: Compiling A\n")

    def test_a_stand_in_that_breaks_a_build_is_removed_and_the_build_goes_on(self):
        with Machine() as machine:
            module = machine.repository / ".build/debug/Modules/Combine.swiftmodule"
            module.parent.mkdir(parents=True)
            module.touch()
            machine.mark("combine-breaks")
            result = machine.run("demo", "--once")
            self.assertEqual(result.status, 0, result.messages)
            self.assertFalse(module.exists())
            self.assertEqual(machine.calls.count(BUILD.format(machine.root, "debug")), 2)

    def test_on_a_terminal_progress_stays_on_one_line(self):
        with Machine() as machine:
            terminal, end = pty.openpty()
            process = machine.start("demo", stderr=end)
            process.communicate(timeout=300)
            os.close(end)
            shown = self.read(terminal)
            self.assertIn("\r\033[K0 s of about 180 s: Compiling A" * 4 + "\r\033[K", shown)

    def read(self, terminal):
        """Returns all that was written to a terminal whose other end is closed."""
        shown = b""
        try:
            while part := os.read(terminal, 65536):
                shown += part
        except OSError:
            pass
        os.close(terminal)
        return shown.decode("utf-8")

    def test_it_works_through_symbolic_links(self):
        with Machine() as machine:
            machine.link("observe", "../the repository/astrolabe")
            (machine.root / "look").symlink_to(machine.bin / "observe")
            self.assertEqual(machine.run("demo", door="look").status, 0)
            self.assertEqual(machine.calls[-1], APP.format(machine.root, "debug"))

    def test_the_program_replaces_the_script_and_receives_signals(self):
        with Machine() as machine:
            machine.mark("program", '#!/bin/sh\necho "$$"\nexec sleep 60\n')
            process = machine.start("demo")
            self.assertEqual(int(process.stdout.readline()), process.pid)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=300)
            self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_release_uses_a_separate_build(self):
        with Machine() as machine:
            machine.run("--release", "demo", "--no-browser")
            machine.edit()
            machine.run("demo", "--release")
            builds = [call for call in machine.calls if call.startswith("swift build")]
            self.assertEqual(builds, [line.format(machine.root, "release") for line in (BUILD, APP)] * 2)

    def test_a_failed_build_shows_its_errors_and_runs_nothing(self):
        with Machine() as machine:
            machine.mark("build-fails")
            result = machine.run("demo")
            self.assertEqual((result.status, result.output), (1, ""))
            self.assertIn("A.swift:1:1: error: cannot find 'b' in scope\n", result.messages)
            self.assertTrue(result.messages.endswith("the build failed; see .astrolabe/build.log\n"))

    def test_without_a_network_one_line_explains_the_failure(self):
        with Machine() as machine:
            machine.mark("offline")
            result = machine.run("demo")
            self.assertEqual(result.status, 1)
            self.assertIn("\nastrolabe: could not fetch the dependencies; check the network", result.messages)


class NeedsTests(unittest.TestCase):
    def test_a_missing_swift_is_reported(self):
        with Machine(fakes=("clang++", "id", "uname")) as machine:
            for command in ("demo", "test", "check", "format"):
                result = machine.run(command)
                self.assertEqual(result.status, 1)
                self.assertEqual(
                    result.messages,
                    "astrolabe: Swift 6.2 or later is required, but Swift was not found; "
                    "install it from https://swift.org/install\n",
                )

    def test_an_old_swift_is_rejected(self):
        with Machine() as machine:
            for version in ("5.10", "6.1.3", "6.0"):
                result = machine.run("demo", FAKE_SWIFT=version)
                self.assertEqual((result.status, len(machine.calls)), (1, 0), version)
                self.assertIn(f"6.2 or later is required, found {version[:4].rstrip('.')} at", result.messages)
            for version in ("6.2", "6.10.1", "7.0-dev"):
                self.assertEqual(machine.run("demo", FAKE_SWIFT=version).status, 0, version)

    def test_missing_requirements_are_reported_with_the_command_that_installs_them(self):
        with Machine(fakes=("swift", "clang++", "id", "uname", "apt-get")) as machine:
            machine.mark("missing", "sqlite3.h\nzlib.h\nzstd.h\n")
            result = machine.run("demo")
            self.assertEqual((result.status, machine.calls), (1, []))
            self.assertEqual(
                result.messages,
                "astrolabe: required but not found: the SQLite headers, the zlib headers, the zstd headers; "
                "run: sudo apt-get install --yes --no-install-recommends libsqlite3-dev zlib1g-dev libzstd-dev\n",
            )

    def test_missing_requirements_are_reported_without_a_package_manager(self):
        with Machine() as machine:
            machine.mark("missing", "zlib.h\n")
            result = machine.run("demo")
            self.assertEqual(result.status, 1)
            self.assertIn("required but not found: the zlib headers", result.messages)

    def test_root_installs_without_prompts(self):
        with Machine(fakes=("swift", "clang++", "id", "uname", "apt-get")) as machine:
            machine.mark("missing", "zlib.h\n")
            result = machine.run("demo", FAKE_USER="0")
            self.assertEqual(result.status, 0)
            self.assertEqual(
                machine.calls[0], "apt-get install --yes --no-install-recommends zlib1g-dev (noninteractive)"
            )
            self.assertTrue(
                result.messages.startswith(
                    "Installing zlib1g-dev with apt-get, because these were not found: the zlib headers"
                )
            )

    def test_stale_package_lists_are_updated(self):
        with Machine(fakes=("swift", "clang++", "id", "uname", "apt-get")) as machine:
            machine.mark("missing", "string\n")
            machine.mark("stale")
            self.assertEqual(machine.run("demo", FAKE_USER="0").status, 0)
            self.assertEqual([call.split()[1] for call in machine.calls[:3]], ["install", "update", "install"])

    def test_passwordless_sudo_is_used(self):
        with Machine(fakes=("swift", "clang++", "id", "uname", "apt-get", "sudo")) as machine:
            machine.mark("missing", "sqlite3.h\n")
            self.assertEqual(machine.run("demo").status, 0)
            self.assertIn(
                "sudo -n env DEBIAN_FRONTEND=noninteractive "
                "apt-get install --yes --no-install-recommends libsqlite3-dev",
                machine.calls,
            )

    def test_nothing_is_installed_if_the_user_forbids_it(self):
        with Machine(fakes=("swift", "clang++", "id", "uname", "apt-get")) as machine:
            machine.mark("missing", "zlib.h\n")
            result = machine.run("demo", FAKE_USER="0", ASTROLABE_INSTALL="never")
            self.assertEqual((result.status, machine.calls), (1, []))

    def test_the_doctor_changes_nothing(self):
        with Machine(fakes=("swift", "clang++", "id", "uname", "apt-get", "sudo", "python3")) as machine:
            machine.mark("missing", "zlib.h\n")
            result = machine.run("doctor", FAKE_USER="0")
            self.assertEqual(result.status, 1)
            self.assertIn("  Swift 6.2 or later                         6.3 at ", result.output)
            self.assertIn("  the SQLite headers                         found\n", result.output)
            self.assertIn("  the zlib headers                           missing; required for building", result.output)
            self.assertIn("not fetched yet; the first build fetches them", result.output)
            self.assertFalse([call for call in machine.calls if not call.startswith("python3")])


class CheckTests(unittest.TestCase):
    checks = {
        "check-format": "format",
        "check-modules": "modules",
        "architecture": "architecture",
        "check-style": "style",
        "check-javascript": "JavaScript",
        "snippets": "snippets",
        "reference": "reference",
        "check-guides": "guides",
        "check-apple": "Apple platforms",
        "check-privacy": "privacy manifest",
        "check-prose": "prose",
        "check-workflows": "workflows",
        "api-digest": "API digest",
        "docs": "documentation",
    }
    titles = [*list(checks.values())[:-2], "scripts", "API digest", "documentation"]

    def machine(self):
        machine = Machine()
        machine.link("python3", sys.executable)
        # The packages of the checks are installed.
        (machine.repository / "Scripts/requirements-checks.txt").touch()
        (machine.repository / ".astrolabe/venv-checks").mkdir(parents=True)
        stamp = machine.repository / ".astrolabe/venv-checks/installed"
        stamp.write_text(f"Python {platform.python_version()}\n", encoding="utf-8")
        for name in self.checks:
            script = machine.repository / "Scripts" / name
            script.write_text(f'#!/bin/sh\n[ ! -f "$MACHINE/{name}" ] || . "$MACHINE/{name}"\n')
            script.chmod(0o755)
        tests = machine.repository / "Scripts/tests"
        tests.mkdir()
        tests.joinpath("__init__.py").touch()
        tests.joinpath("test_a.py").write_text(
            "import unittest\n\n\nclass A(unittest.TestCase):\n    def test(self):\n        pass\n"
        )
        return machine

    def test_every_check_is_run(self):
        with self.machine() as machine:
            result = machine.run("check")
            self.assertEqual(result.output, "".join(f"  passed  {title}\n" for title in self.titles), result)
            self.assertEqual(result.status, 0, result.messages)

    def test_every_product_of_the_digest_is_built_before_it_is_read(self):
        with self.machine() as machine:
            machine.mark("api-digest", 'case $* in --products) echo Moon; echo Sun ;; esac')
            result = machine.run("check")
            self.assertEqual(result.status, 0, result.messages)
            built = [call for call in machine.calls if " --target " in call]
            self.assertEqual([call.split(" --target ")[1].split()[0] for call in built], ["Moon", "Sun"])

    def test_the_dependencies_are_fetched_before_a_check_reads_them(self):
        with self.machine() as machine:
            machine.mark("check-apple", '[ -f .build/workspace-state.json ]')
            self.assertIn("  passed  Apple platforms\n", machine.run("check").output)

    def test_a_check_that_passes_says_what_it_did_not_check(self):
        with self.machine() as machine:
            machine.mark("check-apple", "echo 'Read a.'; echo 'Not checked: a, because b.'")
            output = machine.run("check").output
            self.assertIn("  passed  Apple platforms\nNot checked: a, because b.\n  passed  privacy manifest\n", output)

    def test_a_check_that_fails_is_shown_and_fails_all(self):
        with self.machine() as machine:
            machine.mark("check-prose", "echo found $#; exit 1")
            result = machine.run("check")
            self.assertEqual(result.status, 1)
            self.assertIn("  passed  privacy manifest\nfound 0\n  failed  prose\n  passed  workflows\n", result.output)
            self.assertTrue(result.messages.endswith("astrolabe: failed checks: prose\n"), result.messages)
            for name in self.checks:
                listing = 'case $* in --products) echo Moon; exit ;; esac; ' if name == "api-digest" else ""
                machine.mark(name, f"{listing}echo {name} found $#; exit 1")
            result = machine.run("check")
            for name, title in self.checks.items():
                self.assertRegex(result.output, f"{name} found .*\n  failed  {title}\n")
            self.assertIn("  passed  scripts\n", result.output)
            self.assertTrue(result.messages.endswith("prose, workflows, API digest, documentation\n"), result.messages)

    def test_checks_run_side_by_side(self):
        with self.machine() as machine:
            # Each of the two waits for the other.
            os.mkfifo(machine.state / "pipe")
            machine.mark("check-format", 'echo word >"$MACHINE/pipe"')
            machine.mark("check-prose", 'read -r word <"$MACHINE/pipe"; [ "$word" = word ]')
            self.assertEqual(machine.run("check").status, 0)

    def test_an_interruption_ends_the_checks(self):
        with self.machine() as machine:
            os.mkfifo(machine.state / "pipe")
            # Only an interruption ends it: it opens its own pipe for reading and writing, and nothing is written there.
            os.mkfifo(machine.state / "never")
            machine.mark("check-style", 'echo $$ >"$MACHINE/pipe"; exec 3<>"$MACHINE/never"; read -r word <&3')
            process = machine.start("check")
            check = int((machine.state / "pipe").read_text())
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=300)
            self.assertEqual(process.returncode, 130)
            with self.assertRaises(ProcessLookupError):
                os.kill(check, 0)
