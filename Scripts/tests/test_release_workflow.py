import importlib.util
import os
import subprocess
import unittest

from releasing import versions
from tests import SCRIPTS

if CHECKERS := importlib.util.find_spec("ruamel") is not None:
    from law import workflow_file

ROOT = SCRIPTS.parent

# What they run cannot be taken back.
PUBLISHING = {"image", "image-index", "attest", "publish"}


@unittest.skipUnless(CHECKERS, "the packages of Scripts/requirements-checks.txt, which ./astrolabe check installs")
class ReleaseWorkflowTests(unittest.TestCase):
    def setUp(self):
        text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
        self.workflow = workflow_file.read(text)

    def needed(self, name):
        """The jobs that end before a job begins."""
        needs = self.workflow["jobs"][name].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct.union(*(self.needed(each) for each in direct))

    def test_each_job_needs_a_tag_that_the_sources_state(self):
        jobs = set(self.workflow["jobs"])
        self.assertEqual({name for name in jobs if "version" not in self.needed(name)}, {"version"})
        (command,) = (each for each in workflow_file.commands(self.workflow) if each.job == "version")
        version = versions.current(ROOT)
        for tag, is_right in ((version, True), (f"{version}-beta.1", False), (version[:-1], False), ("9.8.7", False)):
            ended = subprocess.run(["bash", "-e", "-c", command.text], cwd=ROOT, check=False, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "GITHUB_REF_NAME": tag})
            self.assertEqual(ended.returncode == 0, is_right, tag)

    def test_nothing_is_published_before_all_is_built_and_tested(self):
        for name in PUBLISHING:
            self.assertLessEqual({"linux-test", "macos", "documentation"}, self.needed(name), name)
        self.assertLessEqual({"attest", "image-index"}, self.needed("publish"))

    def test_the_image_has_the_archive_that_was_tested(self):
        steps = self.workflow["jobs"]["image"]["steps"]
        downloads = [step["with"] for step in steps if "download-artifact" in step.get("uses", "")]
        self.assertEqual([dict(each) for each in downloads], [{"name": "dist-${{ matrix.runner }}", "path": "dist"}])
        dockerfile = (ROOT / "Deploy/Dockerfile").read_text(encoding="utf-8")
        self.assertNotIn("swift", dockerfile)
        self.assertIn("COPY --from=archive /content/ /opt/astrolabe/\n", dockerfile)


if __name__ == "__main__":
    unittest.main()
