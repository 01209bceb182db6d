"""A repository that can be released, and the tests' access to it."""

import os
import unittest
import unittest.mock

from releasing import REPOSITORY, git, versions
from tests.program import run
from tests.tree import Tree

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
            "source/Docs/Guide.md": "# Guide\n\n[Law](../LICENSE) [Phone](phone.png)\n",
            "source/Tools/Console/Package.swift": "// another package\n",
            "source/Tests/GuideTests.swift": 'let page = Repository.file("Docs/Guide.md")\n',
            f"source/{versions.SOURCE}": '    package static let current = "0.0.1"\n',
            "source/Sources/Astrolabe/Astrolabe.docc/AddToYourApp.md": PAGE,
            "source/Tools/Console/Sources/AstrolabeCommands/AppTemplate/Package.swift.template":
                f'    .package(url: "{REPOSITORY}", branch: "main")\n',
            "source/Android/demo/src/main/kotlin/astrolabe/demo/Phone.kt":
                '"telemetry.sdk.version" to "0.0.1"\n',
            "source/Android/gradle.properties": "group=a\nversion=0.0.1\n",
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


class IdentityCase(unittest.TestCase):
    """Tests that commit."""

    def setUp(self):
        patch = unittest.mock.patch.dict(os.environ, IDENTITY)
        patch.start()
        self.addCleanup(patch.stop)


class RepositoryCase(IdentityCase):
    """Tests that release."""

    def setUp(self):
        super().setUp()
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
