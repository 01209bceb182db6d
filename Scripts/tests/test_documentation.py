import re
import unittest

from releasing import MIRROR, REPOSITORY, ReleaseError, git
from tests import SCRIPTS

ROOT = SCRIPTS.parent
CONTRIBUTING = ROOT / "CONTRIBUTING.md"

# The public API that the changelog describes, until a version is tagged.
FIRST = "88c11625"

# What looks like a path in a code span: a known folder of the root, or a file of the root.
FOLDERS = "Android|Docs|Examples|Integrations|Lab|Scripts|Sources|Tests|Tools"
PATH = re.compile(rf"`((?:{FOLDERS})/[^` ]+|astrolabe|[A-Z]+\.md)`")


def section(text, heading):
    """The part of a page from a heading to the next of the same level."""
    return text.split(f"\n{heading}\n", 1)[1].split("\n## ", 1)[0]


class DocumentationTests(unittest.TestCase):
    def test_where_to_change_what_names_paths_that_exist(self):
        text = section(CONTRIBUTING.read_text(encoding="utf-8"), "## Where to change what")
        paths = PATH.findall(text)
        self.assertGreater(len(paths), 40)
        self.assertEqual([path for path in paths if not (ROOT / path).exists()], [])

    def test_each_feature_of_the_specification_names_a_test_that_exists_or_a_reason(self):
        text = (ROOT / "Docs/Internals/Specification.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (?!feature )(.+?) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
        self.assertGreater(len(rows), 40)
        wrong = []
        for feature, supported, proof in rows:
            named = re.fullmatch(r"`(\w+)`: (.+)", proof)
            files = (ROOT / "Tests").rglob(f"{named[1]}.swift") if named else []
            is_tested = any(f"func `{named[2]}`" in file.read_text(encoding="utf-8") for file in files)
            if supported != ("yes" if is_tested else "no") or (named and not is_tested):
                wrong.append(f"{feature}: {proof}")
        self.assertEqual(wrong, [])

    def test_each_row_of_the_swiftui_conformance_list_names_a_test_that_exists(self):
        text = section((ROOT / "Docs/Internals/SwiftUIConformance.md").read_text(encoding="utf-8"), "## Conformance")
        rows = re.findall(r"^\| (?!area )(\w+) \| (.+?) \| `(\w+)`: (.+?) \|$", text, re.MULTILINE)
        self.assertGreater(len(rows), 30)
        self.assertLessEqual(
            {"Identity", "State", "Environment", "Lifecycle", "Animation", "Layout"}, {row[0] for row in rows})
        # What the page decides is tested in a browser, what the phone decides with a process.
        folders = [ROOT / "Tools/Simulator/Tests/SwiftUITests", ROOT / "Tools/Simulator/Tests/PhoneTraitsTests",
                   ROOT / "Tools/Console/Tests/PhoneTests/Browser"]
        wrong = []
        for _, semantics, name, test in rows:
            files = [folder / f"{name}.swift" for folder in folders if (folder / f"{name}.swift").exists()]
            if not any(f"func `{test}`" in file.read_text(encoding="utf-8") for file in files):
                wrong.append(f"{semantics} {name}: {test}")
        self.assertEqual(wrong, [])
        self.assertEqual(text.count("\n| "), len(rows) + 1, "a row has no test")

    def test_the_page_on_missing_data_quotes_messages_of_the_sources(self):
        sources = [*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "Tools/Console/Sources").rglob("*.swift")]
        code = "\n".join(file.read_text(encoding="utf-8") for file in sources)
        # One text, without the joints of long literals.
        text = re.sub(r'"\s*\+\s*"', "", code).replace('\\"', '"')
        page = (ROOT / "Docs/Guide/NoData.md").read_text(encoding="utf-8")
        cells = re.findall(r"^\| (.+?) \|", page, re.MULTILINE)
        messages = [span for cell in cells for span in re.findall(r"`([^`]+)`", cell) if " " in span]
        self.assertGreater(len(messages), 20)
        # What the code writes in the place of these words.
        written = {"HTTP ": "HTTP \\(status)", "No spans": "No \\(records)", "OTEL_TRACES_EXPORTER": "\\(variable)"}
        written.update({"for ingest": "for \\(use.rawValue)", "is for view": "is for \\(found.rawValue)"})
        wrong = []
        for message in messages:
            for part in re.split(r" ?… ?", message):
                forms = {part, re.sub(r"HTTP \d+", written["HTTP "], part)}
                for plain, code in written.items():
                    forms |= {form.replace(plain, code) for form in forms}
                forms |= {form.replace("for ingest", "for \\(expected.rawValue)") for form in forms}
                if part and not any(form in text for form in forms):
                    wrong.append(message)
        self.assertEqual(wrong, [])

    def test_pages_and_scripts_name_one_repository_and_its_mirror(self):
        pages = [*ROOT.glob("*.md"), *(ROOT / "Sources").glob("*/*.docc/*.md"), *(ROOT / ".github").rglob("*.yml")]
        found = set()
        for page in pages:
            found.update(re.findall(r"https://github.com/([\w-]+/astrolabe)\b", page.read_text(encoding="utf-8")))
        names = {address.split("github.com/")[1] for address in (REPOSITORY, MIRROR)}
        self.assertLessEqual(found, names)
        self.assertIn(REPOSITORY.split("github.com/")[1], found)

    def test_the_changelog_names_what_the_public_api_has_lost_since_the_last_release(self):
        try:
            base = git(ROOT, "describe", "--tags", "--abbrev=0", "--match", "[0-9]*") if git(ROOT, "tag") else FIRST
            changes = git(ROOT, "diff", "--unified=0", base, "--", "Docs/API")
        except ReleaseError as error:
            self.skipTest(f"the clone has no history: {error}")
        removed, added = (set(re.findall(rf"^[{sign}]([\w.]+):", changes, re.MULTILINE)) for sign in "-+")
        lost = removed - added
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        # With a type all of its members are gone.
        names = [name for name in lost if name.rpartition(".")[0] not in lost]
        families = tuple(re.findall(r"`([\w.]+)…`", changelog))
        unnamed = [name for name in sorted(names) if f"`{name}`" not in changelog and not name.startswith(families)]
        self.assertEqual(unnamed, [])
