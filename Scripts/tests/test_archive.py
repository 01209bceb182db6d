import json
import os
import shutil
import unittest
import unittest.mock

from releasing import ReleaseError, archive, materials
from tests.release_repository import RepositoryCase


class ArchiveTests(RepositoryCase):
    def collect(self, checkout="LICENSE.txt", owned="/usr"):
        """Collects the files of an archive of one program with one package and one library, by another toolchain."""
        root = self.repository.root
        library = root / "libz.so.1"
        listed = f"\tlinux-vdso.so.1 (0x1)\n\tlibz.so.1 => {library} (0x2)\n\tlibc.so.6 => /lib/libc.so.6 (0x3)\n"
        for path, text in {
            "build/console_Boards.resources/board.yaml": "", "build/Modules/Console.swiftmodule": "", "libz.so.1": "",
            "build/astrolabe": "", f"checkouts/yams/{checkout}": "MIT", "doc/zlib1g/copyright": "zlib",
            "toolchain/share/swift/LICENSE.txt": "Apache", "toolchain/bin/swift": "#!/bin/sh\n",
            "toolchain/bin/llvm-symbolizer": "", "toolchain/bin/ldd": f"#!/bin/sh\nprintf '%s' '{listed}'\n",
            "toolchain/bin/dpkg": f'#!/bin/sh\n[ "$2" = "{owned}{library}" ] && echo "zlib1g:amd64: $2"\n',
        }.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
            (root / path).chmod(0o755)
        programs = root / "toolchain/bin"
        content = root / "content"
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{programs}:{os.environ['PATH']}"}), \
                unittest.mock.patch.object(archive.licenses, "DOCUMENTS", root / "doc"), \
                unittest.mock.patch.object(archive.sys, "platform", "linux"):
            return content, archive.collect(self.source, root, root / "build", content)

    def test_the_archive_has_the_program_with_all_that_it_needs_but_not_the_libraries_of_the_system(self):
        content, files = self.collect()
        self.assertEqual([each.name for each in files], ["llvm-symbolizer", "libz.so.1"])
        found = sorted(str(file.relative_to(content)) for file in content.rglob("*") if file.is_file())
        self.assertEqual(found, [
            "LICENSE", "README.md", "bin/astrolabe", "bin/console_Boards.resources/board.yaml", "bin/llvm-symbolizer",
            "lib/libz.so.1", "licenses/swift/LICENSE.txt", "licenses/yams/LICENSE.txt", "licenses/zlib1g/copyright",
        ])

    def test_an_archive_without_the_licence_of_one_of_its_parts_is_refused(self):
        with self.assertRaisesRegex(ReleaseError, "yams has no licence"):
            self.collect(checkout="README.md")
        shutil.rmtree(self.repository.root / "content")
        (self.repository.root / "checkouts/yams/README.md").unlink()
        with self.assertRaisesRegex(ReleaseError, "no package has .+/libz.so.1, so its licence is not known"):
            self.collect(owned="/other")

    def test_the_toolchain_is_named_by_its_tag(self):
        self.collect()
        swift = self.repository.root / "toolchain/bin/swift"
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{swift.parent}:{os.environ['PATH']}"}), \
                unittest.mock.patch.object(archive.sys, "platform", "linux"):
            swift.write_text("#!/bin/sh\necho 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'\n", encoding="utf-8")
            self.assertEqual(archive.toolchain(), "swift-6.3.1-RELEASE")
            swift.write_text("#!/bin/sh\necho 'Swift version 6.4-dev'\n", encoding="utf-8")
            self.assertRaisesRegex(ReleaseError, "6.4-dev is no release of Swift", archive.toolchain)

    def test_the_bill_of_materials_names_each_package_with_its_commit_and_each_library_with_its_hash(self):
        state = {"object": {"dependencies": [
            {"packageRef": {"identity": "yams", "location": "https://github.com/jpsim/Yams.git"},
             "state": {"checkoutState": {"revision": "4" * 40, "version": "6.2.2"}}},
            {"packageRef": {"identity": "console", "location": "/console"}, "state": {"name": "fileSystem"}},
        ]}}
        file = self.repository.root / "state.json"
        file.write_text(json.dumps(state), encoding="utf-8")
        files = {"libz.so.1": "0" * 64, "llvm-symbolizer": "1" * 64}
        text = materials.bill("name", "0.1.0", "2026-01-01T00:00:00Z", file, files, "swift-6.3.1-RELEASE")
        bill = json.loads(text)
        program, yams, *linked, library, symbolizer = bill["packages"]
        self.assertEqual((program["name"], program["versionInfo"]), ("astrolabe", "0.1.0"))
        self.assertEqual(yams["downloadLocation"], f"git+https://github.com/jpsim/Yams.git@{'4' * 40}")
        self.assertEqual(yams["externalRefs"][0]["referenceLocator"], "pkg:swift/github.com/jpsim/Yams@6.2.2")
        self.assertEqual(library["checksums"], [{"algorithm": "SHA256", "checksumValue": "0" * 64}])
        runtime, foundation = linked[0], linked[2]
        for part, name in ((runtime, "swift"), (foundation, "swift-foundation"), (symbolizer, "llvm-project")):
            self.assertEqual(part["downloadLocation"], f"git+https://github.com/swiftlang/{name}@swift-6.3.1-RELEASE")
            self.assertEqual(part["versionInfo"], "swift-6.3.1-RELEASE")
        self.assertEqual(symbolizer["checksums"], [{"algorithm": "SHA256", "checksumValue": "1" * 64}])
        identifiers = {each["SPDXID"] for each in bill["packages"]}
        self.assertEqual(len(identifiers), len(bill["packages"]))
        self.assertEqual([each["relationshipType"] for each in bill["relationships"]],
                         ["DESCRIBES", *["DEPENDS_ON"] * (len(identifiers) - 1)])

    def test_the_bill_of_a_macs_archive_has_no_parts_of_the_toolchain(self):
        file = self.repository.root / "state.json"
        file.write_text('{"object": {"dependencies": []}}', encoding="utf-8")
        bill = json.loads(materials.bill("name", "0.1.0", "2026-01-01T00:00:00Z", file, {}, None))
        self.assertEqual([each["name"] for each in bill["packages"]], ["astrolabe"])


if __name__ == "__main__":
    unittest.main()
