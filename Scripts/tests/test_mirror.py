import re
import shutil
import unittest

from law import packages
from releasing import MIRROR, REPOSITORY, ReleaseError, git, mirror, versions
from tests import SCRIPTS
from tests.release_repository import IdentityCase, RepositoryCase
from tests.tree import Tree

ROOT = SCRIPTS.parent


class MirrorTests(RepositoryCase):
    def mirror(self, version):
        """Releases a version and adds it to the mirror, whose folder it returns."""
        text = self.repository.read("CHANGELOG.md").replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n", 1)
        (self.source / "CHANGELOG.md").write_text(text, encoding="utf-8")
        self.repository.commit("Change")
        folder = self.repository.root / "mirror"
        for arguments in ((version, "--tested"), ("--mirror", folder)):
            result = self.repository.release(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
        return folder

    def test_the_mirror_has_a_commit_and_a_tag_for_each_release_and_no_pictures(self):
        self.mirror("0.1.0")
        folder = self.mirror("0.2.0")
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
        page = (folder / "Docs/Guide.md").read_text(encoding="utf-8")
        self.assertEqual(page, f"# Guide\n\n[Law](../LICENSE) [Phone]({REPOSITORY}/blob/0.2.0/Docs/phone.png)\n")
        self.assertIn("has a tag 0.2.0 already", self.refused("--mirror", folder))

    def test_the_mirror_of_a_commit_is_the_same_wherever_it_is_made(self):
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        heads = set()
        for name in ("one", "two"):
            self.repository.release("--mirror", self.repository.root / name)
            heads.add(git(self.repository.root / name, "rev-parse", "HEAD"))
        self.assertEqual(len(heads), 1)

    def test_the_mirror_is_not_written_without_a_tag(self):
        self.assertIn("there is no tag 0.0.1", self.refused("--mirror", self.repository.root / "mirror"))

    def test_the_mirror_is_not_written_into_a_folder_of_something_else(self):
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        folder = self.repository.root / "notes"
        folder.mkdir()
        (folder / "note").write_text("keep", encoding="utf-8")
        self.assertIn("is not a git repository", self.refused("--mirror", folder))
        for subject in ("Begin", "Release 0.0.1"):
            git(folder, "init", "--quiet")
            git(folder, "add", "--all")
            git(folder, "commit", "--quiet", "--message", subject)
            self.assertIn("is not a mirror", self.refused("--mirror", folder))
            self.assertEqual(git(folder, "log", "--format=%s"), subject)
            self.assertEqual((folder / "note").read_text(encoding="utf-8"), "keep")
            shutil.rmtree(folder / ".git")
        for inside in (self.source, self.source / "mirror"):
            self.assertIn("is inside of", self.refused("--mirror", inside))
        self.assertEqual(git(self.source, "status", "--porcelain"), "")

    def test_the_mirror_keeps_what_its_clone_ignores(self):
        folder = self.mirror("0.1.0")
        (folder / ".build").mkdir()
        (folder / ".build/cache").write_text("keep", encoding="utf-8")
        self.mirror("0.2.0")
        self.assertEqual((folder / ".build/cache").read_text(encoding="utf-8"), "keep")

    def test_a_mirror_begins_in_an_empty_clone(self):
        remote, folder = self.repository.root / "remote", self.repository.root / "mirror"
        git(self.repository.root, "init", "--quiet", "--bare", str(remote))
        git(remote, "symbolic-ref", "HEAD", "refs/heads/master")
        git(self.repository.root, "clone", "--quiet", str(remote), str(folder))
        self.mirror("0.1.0")
        self.assertEqual(git(folder, "log", "--format=%s", "main"), "Release 0.1.0")
        self.assertEqual(git(folder, "status", "--porcelain"), "")
        self.assertEqual(git(folder, "remote", "get-url", "origin"), str(remote))

    def test_a_mirror_takes_later_releases_only_and_on_its_main_branch(self):
        self.mirror("0.1.0")
        shutil.rmtree(self.repository.root / "mirror")
        folder = self.mirror("0.2.0")
        git(self.source, "switch", "--quiet", "--detach", "0.1.0")
        self.assertIn("has the release 0.2.0 already", self.refused("--mirror", folder))
        git(self.source, "switch", "--quiet", "main")
        git(folder, "tag", "--delete", "0.2.0")
        git(folder, "switch", "--quiet", "--detach")
        self.assertIn("is on no branch. Expected main", self.refused("--mirror", folder))
        self.assertEqual(git(folder, "log", "--format=%s", "main"), "Release 0.2.0")

    def test_an_error_of_git_names_the_command_and_its_reason(self):
        with self.assertRaisesRegex(ReleaseError, "^git commit failed in .+: On branch main\nnothing to commit"):
            git(self.source, "-c", "core.autocrlf=false", "commit", "--message", "Nothing")

    def test_a_picture_among_the_sources_is_refused(self):
        (self.source / "Sources/Astrolabe/shot.png").write_text("PNG", encoding="utf-8")
        self.repository.commit("Add a picture")
        self.assertEqual(self.repository.release("0.1.0", "--tested").returncode, 0)
        message = self.refused("--mirror", self.repository.root / "mirror")
        self.assertIn("found Sources/Astrolabe/shot.png", message)
        self.assertFalse((self.repository.root / "mirror").exists())


def broken_links(folder):
    """The links of all pages that lead to no file of the folder."""
    broken = []
    for page in folder.rglob("*.md"):
        # "doc:" is a link of DocC's own.
        links = re.findall(r"\]\((?!https?:|mailto:|doc:|#)([^)\s#]+)", page.read_text(encoding="utf-8"))
        broken += [f"{page.relative_to(folder)}: {link}" for link in links if not (page.parent / link).exists()]
    return sorted(broken)


class ThisRepositoryTests(IdentityCase):
    def test_each_target_of_this_repositorys_mirror_has_its_folder(self):
        with Tree({}) as tree:
            folder = tree.root / "astrolabe"
            mirror.write(ROOT, "HEAD", "0.0.1", folder)
            folders = [each.folder for each in packages.load(ROOT).targets.values() if each.manifest == "Package.swift"]
            self.assertGreater(len(folders), 40)
            self.assertEqual([each for each in folders if not (folder / each).is_dir()], [])
            self.assertEqual(broken_links(folder), [])
            size = sum(file.stat().st_size for file in (folder / ".git").rglob("*") if file.is_file())
            self.assertLess(size, 3_000_000)


if __name__ == "__main__":
    unittest.main()
