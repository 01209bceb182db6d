import pathlib
import re
import unittest
import xml.etree.ElementTree

from tests import SCRIPTS

PROJECT = SCRIPTS.parent / "Examples/AstronomyShop/iOS/AstronomyShop.xcodeproj"
SCENARIOS = SCRIPTS.parent / "Examples/AstronomyShop/Scenarios"


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

    def test_the_scheme_builds_and_tests_targets_of_the_project(self):
        for scheme in PROJECT.glob("xcshareddata/xcschemes/*.xcscheme"):
            references = xml.etree.ElementTree.parse(scheme).getroot().iter("BuildableReference")
            self.assertLessEqual({one.get("BlueprintIdentifier") for one in references}, set(self.objects))

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
