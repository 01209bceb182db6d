import datetime
import json
import os
import signal
import subprocess
import sys
import unittest
import unittest.mock

from law import packages
from releasing import MIRROR, REPOSITORY, ReleaseError, archive, changelog, git, materials, mirror, versions
from tests import SCRIPTS
from tests.program import run
from tests.tree import Tree

ROOT = SCRIPTS.parent
TODAY = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
IDENTITY = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
    # Nothing here must survive a power failure, and waiting for the disk takes most of the time.
    "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none",
    "GIT_CONFIG_KEY_1": "core.compression", "GIT_CONFIG_VALUE_1": "1",
}

CHANGELOG = f"""# Changelog

## [Unreleased]

### Added

- Spans.

### Tools

- A console.

[Unreleased]: {REPOSITORY}/commits/main
"""

PAGE = f"""Enter: enter `{REPOSITORY}`, choose **Branch** `main`.

```swift
.package(url: "{REPOSITORY}", branch: "main")
```
"""

# Notes its arguments, outside of the repository, does what it is told, and fails if it is told to.
DOOR = '#!/bin/sh\necho "$@" >>"$CALLS"\neval "${DOES-}"\ntest "$1" != "${FAILS-}"\n'


class Repository(Tree):
    """A repository with all lines that a release changes, and a front door that only notes how it is called."""

    def __init__(self):
        super().__init__({
            "source/CHANGELOG.md": CHANGELOG,
            "source/README.md": PAGE + "\n![Phone](Docs/phone.png) [Guide](Docs/Guide.md#start) [law](LICENSE)\n",
            "source/LICENSE": "Apache\n",
            "source/SECURITY.md": "Report it.\n",
            "source/.gitignore": ".build/\n",
            "source/.spi.yml": "version: 1\n",
            "source/Package.swift": "// swift-tools-version:6.2\n",
            "source/Docs/phone.png": "PNG",
            "source/Docs/Guide.md": "# Guide\n",
            "source/Tools/Console/Package.swift": "// another package\n",
            "source/Tests/GuideTests.swift": 'let page = Repository.file("Docs/Guide.md")\n',
            f"source/{versions.SOURCE}": '    package static let current = "0.0.1"\n',
            "source/Sources/Astrolabe/Astrolabe.docc/AddToYourApp.md": PAGE,
            "source/Tools/Console/Sources/AstrolabeCommands/AppTemplate/Package.swift.template":
                f'    .package(url: "{REPOSITORY}", branch: "main")\n',
            "source/Android/demo/src/main/kotlin/astrolabe/demo/Phone.kt":
                '"telemetry.sdk.version" to "0.0.1"\n',
            "source/astrolabe": DOOR,
            "calls": "",
        })
        self.source = self.root / "source"
        (self.source / "astrolabe").chmod(0o755)
        git(self.source, "init", "--quiet")
        git(self.source, "symbolic-ref", "HEAD", "refs/heads/main")
        self.commit("Begin")

    def commit(self, subject):
        git(self.source, "add", "--all")
        git(self.source, "commit", "--quiet", "--message", subject)

    def release(self, *arguments, **settings):
        environment = {**os.environ, "CALLS": str(self.root / "calls"), **settings}
        return run("release", "--root", self.source, *arguments, environment=environment)

    def read(self, path):
        return (self.source / path).read_text(encoding="utf-8")

    @property
    def calls(self):
        return (self.root / "calls").read_text(encoding="utf-8").splitlines()


class ReleaseTests(unittest.TestCase):
    def setUp(self):
        patch = unittest.mock.patch.dict(os.environ, IDENTITY)
        patch.start()
        self.addCleanup(patch.stop)
        self.repository = Repository()
        self.addCleanup(self.repository.__exit__)
        self.source = self.repository.source

    def refused(self, *arguments, **settings):
        """The message of a release that must fail and must change nothing."""
        before = git(self.source, "rev-parse", "HEAD")
        result = self.repository.release(*arguments, **settings)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(git(self.source, "rev-parse", "HEAD"), before)
        return result.stderr

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
        for name in ("TERM", "HUP", "INT"):
            # A program of its own, because the signal goes to the parent of the front door.
            environment = {**os.environ, "CALLS": os.devnull, "DOES": f"kill -s {name} $PPID"}
            command = [sys.executable, "-B", str(SCRIPTS / "release"), "--root", str(self.source), "0.1.0"]
            ended = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((ended.returncode, ended.stderr), (128 + signal.Signals[f"SIG{name}"], ""))
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

    def test_the_mirror_has_a_commit_and_a_tag_for_each_release_and_no_pictures(self):
        folder = self.repository.root / "mirror"
        for version in ("0.1.0", "0.2.0"):
            text = self.repository.read("CHANGELOG.md").replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n", 1)
            (self.source / "CHANGELOG.md").write_text(text, encoding="utf-8")
            self.repository.commit("Change")
            self.assertEqual(self.repository.release(version, "--tested").returncode, 0)
            result = self.repository.release("--mirror", folder)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(git(folder, "log", "--format=%s"), "Release 0.2.0\nRelease 0.1.0")
        self.assertEqual(git(folder, "tag"), "0.1.0\n0.2.0")
        self.assertEqual(git(folder, "remote", "get-url", "origin"), MIRROR)
        self.assertEqual(git(folder, "status", "--porcelain"), "")
        # The guide is there because a test reads it.
        self.assertEqual(git(folder, "ls-files").splitlines(), [
            ".gitignore", ".spi.yml", "CHANGELOG.md", "Docs/Guide.md", "LICENSE", "Package.swift", "README.md",
            "SECURITY.md", "Sources/Astrolabe/Astrolabe.docc/AddToYourApp.md", versions.SOURCE,
            "Tests/GuideTests.swift",
        ])
        readme = (folder / "README.md").read_text(encoding="utf-8")
        self.assertIn("(https://raw.githubusercontent.com/astrolabe-telemetry/astrolabe/0.2.0/Docs/phone.png)", readme)
        self.assertIn(f"[Guide]({REPOSITORY}/blob/0.2.0/Docs/Guide.md#start) [law](LICENSE)", readme)
        self.assertIn("has a tag 0.2.0 already", self.refused("--mirror", folder))

    def test_the_mirror_of_a_commit_is_the_same_wherever_it_is_made(self):
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        heads = set()
        for name in ("one", "two"):
            self.repository.release("--mirror", self.repository.root / name)
            heads.add(git(self.repository.root / name, "rev-parse", "HEAD"))
        self.assertEqual(len(heads), 1)

    def test_the_mirror_is_not_written_without_a_tag_or_into_a_folder_of_something_else(self):
        self.assertIn("there is no tag 0.0.1", self.refused("--mirror", self.repository.root / "mirror"))
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        folder = self.repository.root / "notes"
        folder.mkdir()
        (folder / "note").write_text("keep", encoding="utf-8")
        self.assertIn("is not a git repository", self.refused("--mirror", folder))
        self.assertEqual((folder / "note").read_text(encoding="utf-8"), "keep")

    def test_a_picture_among_the_sources_is_refused(self):
        (self.source / "Sources/Astrolabe/shot.png").write_text("PNG", encoding="utf-8")
        self.repository.commit("Add a picture")
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        message = self.refused("--mirror", self.repository.root / "mirror")
        self.assertIn("found Sources/Astrolabe/shot.png", message)

    def test_the_archive_has_the_program_with_its_resources_and_libraries_but_not_those_of_the_system(self):
        build = self.repository.root / "build"
        for path in ("console_Boards.resources/board.yaml", "Modules/Console.swiftmodule"):
            (build / path).parent.mkdir(parents=True)
            (build / path).write_text("", encoding="utf-8")
        (build / "astrolabe").symlink_to("/bin/sh")
        toolchain = self.repository.root / "toolchain"
        toolchain.mkdir()
        for name in ("swift", archive.SYMBOLIZER):
            (toolchain / name).write_text("#!/bin/sh\n", encoding="utf-8")
            (toolchain / name).chmod(0o755)
        library = self.repository.root / "libz.so.1"
        library.write_text("", encoding="utf-8")
        listed = f"\tlinux-vdso.so.1 (0x1)\n\tlibz.so.1 => {library} (0x2)\n\tlibc.so.6 => /lib/libc.so.6 (0x3)\n"
        ended = subprocess.CompletedProcess([], 0, listed)
        content = self.repository.root / "content"
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{toolchain}:{os.environ['PATH']}"}), \
                unittest.mock.patch.object(archive.subprocess, "run", return_value=ended), \
                unittest.mock.patch.object(archive, "git", return_value="README.md\nDocs/Guide.md"), \
                unittest.mock.patch.object(archive.sys, "platform", "linux"):
            libraries = archive.collect(self.source, build, content)
        self.assertEqual([each.name for each in libraries], ["libz.so.1"])
        found = sorted(str(file.relative_to(content)) for file in content.rglob("*") if file.is_file())
        self.assertEqual(found, [
            "LICENSE", "README.md", "bin/astrolabe", "bin/console_Boards.resources/board.yaml", "bin/llvm-symbolizer",
            "lib/libz.so.1",
        ])

    def test_the_bill_of_materials_names_each_package_with_its_commit_and_each_library_with_its_hash(self):
        state = {"object": {"dependencies": [
            {"packageRef": {"identity": "yams", "location": "https://github.com/jpsim/Yams.git"},
             "state": {"checkoutState": {"revision": "4" * 40, "version": "6.2.2"}}},
            {"packageRef": {"identity": "console", "location": "/console"}, "state": {"name": "fileSystem"}},
        ]}}
        file = self.repository.root / "state.json"
        file.write_text(json.dumps(state), encoding="utf-8")
        bill = json.loads(materials.bill("name", "0.1.0", "2026-01-01T00:00:00Z", file, {"libz.so.1": "0" * 64}))
        program, yams, library = bill["packages"]
        self.assertEqual((program["name"], program["versionInfo"]), ("astrolabe", "0.1.0"))
        self.assertEqual(yams["downloadLocation"], f"git+https://github.com/jpsim/Yams.git@{'4' * 40}")
        self.assertEqual(yams["externalRefs"][0]["referenceLocator"], "pkg:swift/github.com/jpsim/Yams@6.2.2")
        self.assertEqual(library["checksums"], [{"algorithm": "SHA256", "checksumValue": "0" * 64}])
        self.assertEqual([each["relationshipType"] for each in bill["relationships"]],
                         ["DESCRIBES", "DEPENDS_ON", "DEPENDS_ON"])


class ThisRepositoryTests(unittest.TestCase):
    def setUp(self):
        patch = unittest.mock.patch.dict(os.environ, IDENTITY)
        patch.start()
        self.addCleanup(patch.stop)

    def test_each_target_of_this_repositorys_mirror_has_its_folder(self):
        with Tree({}) as tree:
            folder = tree.root / "astrolabe"
            mirror.write(ROOT, "HEAD", "0.0.1", folder)
            folders = [each.folder for each in packages.load(ROOT).targets.values() if each.manifest == "Package.swift"]
            self.assertGreater(len(folders), 40)
            self.assertEqual([each for each in folders if not (folder / each).is_dir()], [])
            size = sum(file.stat().st_size for file in (folder / ".git").rglob("*") if file.is_file())
            self.assertLess(size, 3_000_000)

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
