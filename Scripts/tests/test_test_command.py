import unittest

from tests.machine import FAKES, Machine
from tests.test_front_door import APP, BUILD, LAB_TESTS, TESTS


class TestTests(unittest.TestCase):
    chromium = {"ASTROLABE_CHROMIUM": str(FAKES / "id"), "ASTROLABE_CHROMEDRIVER": str(FAKES / "id")}
    browser = {**chromium, "ASTROLABE_FIREFOX": str(FAKES / "id")}
    fakes = ("swift", "clang++", "id", "uname", "python3")

    def runner(self, machine, *arguments):
        """The call of Scripts/run-tests for these arguments, without what is the same in every call."""
        result = machine.run("test", *arguments, **self.browser)
        self.assertEqual(result.status, 0, result)
        folders = f"--folder {machine.repository}/.build/debug --reports {machine.repository}/.astrolabe/tests"
        call = f"python3 -B {machine.repository}/Scripts/run-tests {folders} --minutes 30"
        self.assertTrue(machine.calls[-1].startswith(call), machine.calls[-1])
        return machine.calls[-1].removeprefix(call)

    def test_it_builds_all_tests_and_returns_the_runners_output_and_status(self):
        with Machine(fakes=self.fakes) as machine:
            result = machine.run("test", FAKE_STATUS="3", **self.browser)
            python = f"{machine.repository}/.astrolabe/venv/bin/python"
            clients = f"{machine.repository}/.astrolabe/venv-clients/bin/python"
            self.assertEqual(
                result.output,
                f"browser {self.browser['ASTROLABE_CHROMIUM']}, firefox {self.browser['ASTROLABE_FIREFOX']}, "
                f"thorough no, python {python}, clients {clients}\n",
            )
            self.assertEqual(result.status, 3)
            self.assertIn(TESTS.format(machine.root, "debug"), machine.calls)
            self.assertEqual(self.runner(machine), "")

    def test_a_house_builds_its_own_tests_only(self):
        with Machine(fakes=self.fakes) as machine:
            self.assertEqual(self.runner(machine, "lab", "sdk"), " lab sdk")
            self.assertIn(LAB_TESTS.format(machine.root, "debug"), machine.calls)
            self.assertNotIn(TESTS.format(machine.root, "debug"), machine.calls)

    def test_a_unit_is_passed_on_and_builds_what_it_needs(self):
        with Machine(fakes=self.fakes) as machine:
            self.assertEqual(self.runner(machine, "--unit", "lab"), " lab")
            self.assertIn(LAB_TESTS.format(machine.root, "debug"), machine.calls)
            result = machine.run("test", "--unit", **self.browser)
            self.assertEqual(result.status, 1)
            self.assertIn("expected a name after --unit", result.messages)

    def test_a_filter_and_repetitions_are_passed_on(self):
        with Machine(fakes=self.fakes) as machine:
            self.assertEqual(self.runner(machine, "an empty cart"), " --filter an empty cart")
            self.assertEqual(
                self.runner(machine, "--repeat", "3", "--under-load", "lab", "a cart"),
                " --repeat 3 --under-load --filter a cart lab",
            )

    def test_a_thorough_run_builds_the_optimised_app_that_crashes(self):
        with Machine(fakes=self.fakes) as machine:
            optimised = "swift build --product HealthFixture --configuration release "
            self.runner(machine)
            self.assertNotIn(optimised, "\n".join(machine.calls))
            self.runner(machine, "--thorough")
            self.assertIn(optimised, "\n".join(machine.calls))
            soak = "swift build --product benchmarks --configuration release "
            self.assertIn(soak, "\n".join(machine.calls))
            machine.forget()
            self.runner(machine, "--thorough", "shop")
            self.assertIn(optimised, "\n".join(machine.calls))
            self.assertNotIn(soak, "\n".join(machine.calls))

    def test_continuous_integration_skips_no_tests_for_want_of_packages(self):
        for requirements, what in (("clients", "Scripts/requirements-clients.txt"), ("engines", "ClickHouse")):
            with self.subTest(requirements), Machine(fakes=self.fakes) as machine:
                machine.run("test", **self.browser)
                changed = machine.repository / f"Scripts/requirements-{requirements}.txt"
                changed.write_text("a==2\n", encoding="utf-8")
                machine.mark("offline")
                result = machine.run("test", "--without-android", CI="true", **self.browser)
                self.assertEqual(result.status, 1)
                self.assertRegex(result.messages, f"Skipping the tests that need .*{what}")
                self.assertNotIn("run-tests --folder", machine.calls[-1])

    def test_options_set_the_environment(self):
        with Machine(fakes=self.fakes) as machine:
            result = machine.run("test", "--without-browser", "--thorough", **self.browser)
            self.assertIn("browser none, firefox none, thorough 1, ", result.output)

    def test_without_the_clients_their_tests_are_skipped(self):
        with Machine(fakes=self.fakes) as machine:
            result = machine.run("test", **self.browser)
            self.assertIn(f"clients {machine.repository}/.astrolabe/venv-clients/bin/python", result.output)
            self.assertIn("clients none", machine.run("test", "--without-clients", **self.browser).output)
            (machine.repository / "Scripts/requirements-clients.txt").write_text("a==2\n", encoding="utf-8")
            machine.mark("offline")
            result = machine.run("test", **self.browser)
            self.assertEqual(result.status, 0)
            self.assertIn("clients none", result.output)
            self.assertIn("packages of Scripts/requirements-clients.txt, because", result.messages)

    def test_firefox_is_installed_or_the_skip_is_explained(self):
        with Machine(fakes=self.fakes + ("apt-get",)) as machine:
            # The package of this fake has no program.
            result = machine.run("test", FAKE_USER="0", **self.chromium)
            self.assertIn("apt-get install --yes --no-install-recommends firefox-esr", "\n".join(machine.calls))
            self.assertEqual(result.status, 0, result.messages)
            self.assertIn("Skipping the test that opens the pages in Firefox", result.messages)
            self.assertIn("firefox none", result.output)
            machine.forget()
            for arguments in (["--without-browser"], ["a filter"]):
                machine.run("test", *arguments, FAKE_USER="0", **self.chromium)
            self.assertNotIn("firefox", "\n".join(machine.calls))
            machine.link("firefox-esr", FAKES / "id")
            result = machine.run("test", "a filter", FAKE_USER="0", **self.chromium)
            self.assertIn(f"firefox {machine.bin}/firefox-esr", result.output)

    def test_a_browser_that_only_advises_a_snap_is_none(self):
        with Machine(fakes=self.fakes + ("apt-get",)) as machine:
            stub = machine.bin / "chromium"
            stub.write_text('#!/bin/sh\necho "requires the chromium snap; run: snap install chromium"\n')
            stub.chmod(0o755)
            result = machine.run("test")
            self.assertEqual(result.status, 1)
            self.assertRegex(result.messages, "Chromium")
            self.assertNotIn("run-tests --folder", "\n".join(machine.calls))

    def test_python_packages_are_installed_once_and_again_when_they_change(self):
        with Machine(fakes=self.fakes) as machine:
            machine.run("test", **self.browser)
            self.assertTrue([call for call in machine.calls if " -m pip " in call])
            machine.forget()
            result = machine.run("test", **self.browser)
            self.assertFalse([call for call in machine.calls if " -m pip " in call])
            self.assertNotIn("Python", result.messages)
            for settings in ({"FAKE_PYTHON": "3.12.0"}, {}):
                machine.forget()
                machine.run("test", **settings, **self.browser)
                self.assertTrue([call for call in machine.calls if " -m pip " in call])
            (machine.repository / "Scripts/requirements.txt").write_text("a==2\n", encoding="utf-8")
            machine.mark("offline")
            result = machine.run("test", **self.browser)
            self.assertEqual(result.status, 1)
            self.assertIn("could not install the Python packages", result.messages)

    def test_the_engine_of_clickhouse_tests_is_installed_or_the_tests_say_why_they_are_skipped(self):
        with Machine(fakes=self.fakes) as machine:
            engines = machine.repository / "Scripts/requirements-engines.txt"
            engines.write_text("chdb==1\n", encoding="utf-8")
            installs = f"--requirement {engines}"
            machine.run("test", "--without-clickhouse", **self.browser)
            self.assertNotIn(installs, "\n".join(machine.calls))
            machine.run("test", **self.browser)
            self.assertIn(installs, "\n".join(machine.calls))
            engines.write_text("chdb==2\n", encoding="utf-8")
            machine.mark("offline")
            result = machine.run("test", **self.browser)
            self.assertEqual(result.status, 0, result.messages)
            self.assertIn("Skipping the tests that need ClickHouse: chdb could not be installed", result.messages)

    def test_the_packages_of_the_android_tests_are_installed_or_the_skip_is_explained(self):
        packages = "default-jre-headless kotlin libokhttp-java libxerial-sqlite-jdbc-java junit4"
        with Machine(fakes=self.fakes + ("apt-get",)) as machine:
            result = machine.run("test", FAKE_USER="0", **self.browser)
            self.assertIn(f"apt-get install --yes --no-install-recommends {packages}", "\n".join(machine.calls))
            self.assertEqual(result.status, 0, result.messages)
            self.assertIn("Skipping the tests of Android/: Kotlin with OkHttp", result.messages)
            result = machine.run("test", "android", FAKE_USER="0", **self.browser)
            self.assertEqual(result.status, 1)
            self.assertIn("still not found after", result.messages)
            machine.forget()
            for arguments in (["--without-android"], ["sdk"], ["a filter"]):
                machine.run("test", *arguments, FAKE_USER="0", **self.browser)
            self.assertNotIn("kotlin", "\n".join(machine.calls))

    def test_every_build_is_made_with_the_same_flags(self):
        with Machine(fakes=self.fakes) as machine:
            machine.run("demo")
            machine.run("test", **self.browser)
            builds = [call for call in machine.calls if call.startswith("swift build")]
            self.assertEqual(builds, [line.format(machine.root, "debug") for line in (BUILD, APP, TESTS)])
            hashing = (machine.state / "hashing").read_text(encoding="utf-8").split()
            self.assertEqual(hashing.count("1"), 4, "the three builds and the resolution")
