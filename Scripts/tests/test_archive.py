import json
import os
import subprocess
import unittest
import unittest.mock

from releasing import archive, materials
from tests.release_repository import RepositoryCase


class ArchiveTests(RepositoryCase):
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


if __name__ == "__main__":
    unittest.main()
