import json
import pathlib
import re
import struct
import unittest
import xml.etree.ElementTree
from typing import Set

from law import conditions
from tests import SCRIPTS

PROJECT = SCRIPTS.parent / "Examples/AstronomyShop/iOS/AstronomyShop.xcodeproj"
SCENARIOS = SCRIPTS.parent / "Examples/AstronomyShop/Scenarios"
ICON = PROJECT.parent / "AstronomyShop/Assets.xcassets/AppIcon.appiconset"


def resolved_on_a_mac(folder: pathlib.Path) -> Set[str]:
    """The packages that Xcode resolves for a local one: folders of this repository, and addresses of others."""
    lines = (folder / "Package.swift").read_text(encoding="utf-8").split("\n")
    platforms = conditions.platforms_by_line("\n".join(lines))
    manifest = "\n".join(line for line, names in zip(lines, platforms) if "macOS" in names)
    found = set(re.findall(r'\.package\(\s*url: "([^"]+)"', manifest))
    for path in re.findall(r'\.package\([^)]*path: "([^"]+)"', manifest):
        found |= {(folder / path).resolve().relative_to(SCRIPTS.parent).as_posix()}
        found |= resolved_on_a_mac((folder / path).resolve())
    return found


class XcodeProjectTests(unittest.TestCase):
    """Xcode does not run here, so these tests check what a hand-written project can get wrong."""

    def setUp(self):
        text = (PROJECT / "project.pbxproj").read_text(encoding="utf-8")
        self.text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        self.objects = re.findall(r"^\t\t([0-9A-F]{24})\s*= ?\{", self.text, re.MULTILINE)

    def test_each_object_is_defined_once_and_each_reference_leads_to_one(self):
        self.assertEqual(len(self.objects), len(set(self.objects)))
        self.assertEqual(set(re.findall(r"\b[0-9A-F]{24}\b", self.text)), set(self.objects))
        self.assertEqual(self.text.count("{"), self.text.count("}"))
        self.assertEqual(self.text.count("("), self.text.count(")"))

    def test_its_package_resolves_the_sdk_and_what_the_sdk_needs(self):
        (package,) = re.findall(r"isa = XCLocalSwiftPackageReference;\s*relativePath = ([\w./]+);", self.text)
        folder = (PROJECT.parent / package).resolve()
        self.assertEqual(resolved_on_a_mac(folder), {".", "https://github.com/apple/swift-atomics"})
        server = resolved_on_a_mac(SCRIPTS.parent / "Examples/ShopServer")
        self.assertIn("https://github.com/hummingbird-project/hummingbird", server, "what this test reads")

    def test_a_shared_scheme_runs_and_tests_targets_of_the_project(self):
        (scheme,) = PROJECT.glob("xcshareddata/xcschemes/*.xcscheme")
        root = xml.etree.ElementTree.parse(scheme).getroot()
        built = {one.get("BlueprintIdentifier") for one in root.iter("BuildableReference")}
        self.assertLessEqual(built, set(self.objects))
        for action, target in (("LaunchAction", "AstronomyShopPhone"), ("TestAction", "AstronomyShopUITests")):
            references = root.find(action).iter("BuildableReference")
            self.assertEqual([one.get("BlueprintName") for one in references], [target])

    def test_the_app_has_an_icon_that_the_store_accepts(self):
        self.assertEqual(self.text.count("ASSETCATALOG_COMPILER_APPICON_NAME = AppIcon;"), 2, "debug and release")
        (image,) = json.loads((ICON / "Contents.json").read_text(encoding="utf-8"))["images"]
        picture = (ICON / image["filename"]).read_bytes()
        size_and_colour = struct.unpack(">4sIIBB", picture[12:26])
        self.assertEqual(size_and_colour, (b"IHDR", 1024, 1024, 8, 2), "eight bits of red, green and blue, no alpha")
        self.assertLess(len(picture), 200_000)

    def test_an_ipad_may_be_turned_every_way(self):
        for ways in re.findall(r'SupportedInterfaceOrientations_iPad = "([^"]+)"', self.text):
            self.assertEqual(len(set(ways.split())), 4)
        self.assertEqual(self.text.count("SupportedInterfaceOrientations_iPad"), 2, "debug and release")

    def test_folders_of_the_project_exist(self):
        folders = re.findall(r"isa = PBXFileSystemSynchronizedRootGroup;[^}]*?path = (\w+);", self.text)
        self.assertEqual(sorted(folders), ["AstronomyShop", "AstronomyShopUITests"])
        for folder in folders:
            self.assertTrue((PROJECT.parent / folder).is_dir(), folder)

    def test_the_scenarios_that_the_ui_tests_name_exist(self):
        tests = (PROJECT.parent / "AstronomyShopUITests/ShopScenarioTests.swift").read_text(encoding="utf-8")
        named = re.findall(r"/// `([\w-]+\.yaml)`", tests)
        self.assertEqual(len(named), tests.count("func test"))
        self.assertEqual([name for name in named if not pathlib.Path(SCENARIOS / name).exists()], [])
