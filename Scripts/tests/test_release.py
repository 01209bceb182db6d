import datetime
import os
import signal
import subprocess
import sys
import unittest

from releasing import MIRROR, ReleaseError, changelog, git, versions
from tests import SCRIPTS
from tests.release_repository import CHANGELOG, PAGE, RepositoryCase

ROOT = SCRIPTS.parent
TODAY = datetime.datetime.now(datetime.timezone.utc).date().isoformat()


class ReleaseTests(RepositoryCase):
    def state(self):
        """What is not committed, the tags, and the subject of the last commit."""
        commands = (["status", "--porcelain"], ["tag"], ["log", "-1", "--format=%s"])
        return tuple(git(self.source, *command) for command in commands)

    def test_a_release_states_its_version_everywhere_and_is_committed_and_tagged(self):
        result = self.repository.release("0.1.0")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.repository.calls, ["check", "test"])
        self.assertEqual(git(self.source, "status", "--porcelain"), "")
        self.assertEqual(git(self.source, "log", "-1", "--format=%s", "0.1.0"), "Release 0.1.0")
        self.assertEqual(versions.current(self.source), "0.1.0")
        self.assertIn('to "0.1.0"', self.repository.read("Android/demo/src/main/kotlin/astrolabe/demo/Phone.kt"))
        self.assertIn("\nversion=0.1.0\n", self.repository.read("Android/gradle.properties"))
        for page in ("README.md", "Sources/Astrolabe/Astrolabe.docc/AddToYourApp.md"):
            text = self.repository.read(page)
            self.assertIn(f"enter `{MIRROR}`, choose **Up to Next Minor Version** from `0.1.0`.", text)
            self.assertIn(f'.package(url: "{MIRROR}", .upToNextMinor(from: "0.1.0"))\n', text)
        self.assertIn("git push --atomic origin main 0.1.0\n", result.stdout)
        self.assertIn("git -C ../astrolabe-mirror push --atomic origin main 0.1.0\n", result.stdout)

    def test_a_later_release_changes_the_same_lines_again(self):
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        text = self.repository.read("CHANGELOG.md").replace("## [Unreleased]\n", "## [Unreleased]\n\n- More.\n")
        (self.source / "CHANGELOG.md").write_text(text, encoding="utf-8")
        self.repository.commit("Add more")
        result = self.repository.release("1.0.0", "--tested")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.repository.calls, ["check", "check"])
        self.assertIn(f'.package(url: "{MIRROR}", from: "1.0.0")\n', self.repository.read("README.md"))
        self.assertIn("**Up to Next Major Version** from `1.0.0`", self.repository.read("README.md"))
        self.assertEqual(self.repository.release("--notes").stdout, "- More.\n")

    def test_a_dry_run_prints_the_changes_and_changes_nothing(self):
        before = git(self.source, "rev-parse", "HEAD")
        result = self.repository.release("0.1.0", "--dry-run")
        self.assertEqual(result.returncode, 0, result.stderr)
        line = '    package static let current = "%s"\n'
        self.assertIn("-" + line % "0.0.1" + "+" + line % "0.1.0", result.stdout)
        self.assertIn("Would run ./astrolabe check\nWould run ./astrolabe test\n", result.stdout)
        self.assertEqual(git(self.source, "status", "--porcelain"), "")
        self.assertEqual(git(self.source, "rev-parse", "HEAD"), before)
        self.assertEqual((git(self.source, "tag"), self.repository.calls), ("", []))

    def test_a_check_that_fails_leaves_the_files_as_they_were(self):
        for command in ("check", "test"):
            message = self.refused("0.1.0", FAILS=command)
            self.assertIn(f"./astrolabe {command} failed with status 1", message)
            self.assertEqual(git(self.source, "status", "--porcelain"), "")
        self.assertEqual(git(self.source, "tag"), "")

    def test_a_release_that_is_stopped_leaves_everything_as_it_was(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            # A program of its own, because the signal goes to the parent of the front door.
            environment = {**os.environ, "CALLS": os.devnull, "DOES": f"kill -s {number.name[3:]} $PPID"}
            command = [sys.executable, "-B", str(SCRIPTS / "release"), "--root", str(self.source), "0.1.0"]
            # In the background of a shell, as in `./astrolabe check`, the tests ignore SIGINT.
            ended = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            self.assertEqual((ended.returncode, ended.stderr), (128 + number, ""))
            self.assertEqual(self.state(), ("", "", "Begin"))

    def test_a_commit_or_a_tag_that_fails_leaves_everything_as_it_was(self):
        hook = self.source / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        hook.chmod(0o755)
        self.assertIn("git commit failed", self.refused("0.1.0"))
        self.assertEqual(self.state(), ("", "", "Begin"))
        hook.unlink()
        git(self.source, "config", "tag.gpgSign", "true")
        git(self.source, "config", "gpg.program", "false")
        self.assertIn("git tag failed", self.refused("0.1.0"))
        self.assertEqual(self.state(), ("", "", "Begin"))

    def test_a_release_is_refused_on_another_branch_or_on_none(self):
        git(self.source, "switch", "--quiet", "--create", "feature")
        self.assertIn("is on feature. Expected main", self.refused("0.1.0"))
        git(self.source, "switch", "--quiet", "--detach")
        self.assertIn("is on no branch. Expected main", self.refused("0.1.0"))
        self.assertEqual(self.state(), ("", "", "Begin"))
        self.assertEqual(self.repository.calls, [])

    def test_what_changes_during_the_checks_is_neither_released_nor_lost(self):
        for command, status in (("echo mine >>README.md", " M README.md"), ("echo mine >>LICENSE", " M LICENSE"),
                                ("echo mine >new", "?? new")):
            path = status[3:]
            for failing in ("", "test"):
                message = self.refused("0.1.0", DOES=command, FAILS=failing)
                self.assertIn("./astrolabe test failed" if failing else f"{path} changed since", message)
                self.assertEqual(self.state(), (status, "", "Begin"))
                self.assertTrue(self.repository.read(path).endswith("mine\n"))
                git(self.source, "stash", "--quiet", "--include-untracked")

    def test_a_commit_during_the_checks_is_kept(self):
        message = self.repository.release("0.1.0", "--tested", DOES="git commit --quiet --allow-empty -m Mine").stderr
        self.assertIn("there is a new commit since the release began", message)
        self.assertEqual(self.state(), ("", "", "Mine"))

    def test_a_version_that_is_not_semantic_is_refused(self):
        for word in ("1.0", "v1.0.0", "1.0.0-", "01.0.0", "latest", "1\u0662.0.0", "1.0.0-01", "1.0.0-a.00", "1.0.0+1"):
            self.assertIn(f'"{word}" is not a semantic version', self.refused(word))

    def test_a_version_that_exists_or_is_earlier_than_the_last_is_refused(self):
        git(self.source, "tag", "0.2.0")
        self.assertIn("the tag 0.2.0 exists", self.refused("0.2.0"))
        self.assertIn("0.2.0-beta.1 is earlier than 0.2.0, which is released", self.refused("0.2.0-beta.1"))
        git(self.source, "tag", "--delete", "0.2.0")
        self.assertIn("0.0.0 is earlier than 0.0.1, which the sources state", self.refused("0.0.0"))

    def test_versions_are_sorted_as_semantic_versioning_says(self):
        names = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.10.0"]
        self.assertEqual(sorted(reversed(names), key=versions.order), names)

    def test_a_tree_with_changes_is_refused(self):
        (self.source / "new").write_text("", encoding="utf-8")
        self.assertIn("changes that are not committed", self.refused("0.1.0"))

    def test_a_changelog_without_entries_is_refused(self):
        text = CHANGELOG.replace("- Spans.\n", "").replace("- A console.\n", "")
        (self.source / "CHANGELOG.md").write_text(text, encoding="utf-8")
        self.repository.commit("Empty the changelog")
        self.assertIn("has nothing below [Unreleased]", self.refused("0.1.0"))

    def test_a_heading_or_link_of_the_changelog_that_is_not_found_once_is_refused(self):
        heading = "## [Unreleased]\n"
        for before, after in ((heading, heading[:-1] + " \n"), ("[Unreleased]: ", "[Unreleased]:"),
                              (heading, heading + "\n- A.\n\n" + heading)):
            with self.assertRaisesRegex(ReleaseError, "of what it must have once"):
                changelog.cut(CHANGELOG.replace(before, after), "0.1.0", TODAY)

    def test_a_line_that_was_moved_or_written_twice_is_refused(self):
        (self.source / "README.md").write_text(PAGE + PAGE, encoding="utf-8")
        self.repository.commit("Write it twice")
        self.assertIn("README.md states the dependency 2 times", self.refused("0.1.0"))


class ThisRepositoryTests(unittest.TestCase):
    def test_a_dry_run_finds_every_line_in_this_repository(self):
        texts = versions.stated(ROOT, "9.8.7")
        self.assertTrue(all("9.8.7" in text for text in texts.values()))
        # After a release nothing stands below [Unreleased].
        text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        cut = changelog.cut(text.replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n", 1), "9.8.7", TODAY)
        self.assertIn(f"\n## [9.8.7] - {TODAY}\n", cut)
        self.assertTrue(changelog.section(cut, "9.8.7").startswith("- More."))


if __name__ == "__main__":
    unittest.main()
