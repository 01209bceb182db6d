import collections
import pathlib
import posixpath
import re
import subprocess
import unittest

from law import style
from tests import SCRIPTS
from tests.tree import Tree

ROOT = SCRIPTS.parent
PAGE = "Docs/Internals/Requirement.md"
HOUSES = ("Sources", "Tests", "Tools", "Lab", "Examples", "Integrations", "Android", "Scripts")

CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
# "line 12", "lines 12-14", or a cell that has numbers only: "98-102, 443".
LINE_NUMBER = re.compile(r"\blines?\s+\d+|^[\d\s,-]*\d[\d\s,-]*$", re.IGNORECASE)
SWIFT = "struct|enum|protocol|actor|extension|func|var|let|typealias|case"
KOTLIN = "(?:enum\\s+)?class|object|interface|fun|val"
DECLARATION = re.compile(rf"\b(?:{KOTLIN}|{SWIFT})\s+`?(\w+)")
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
CASES = re.compile(r"^\s*case ([\w, ]+)$", re.MULTILINE)


class Repository:
    """What a page may name: files, modules, declarations, and texts of the code."""

    def __init__(self, root):
        self.root = root
        kept = [pathlib.PurePosixPath(path) for path in style.files(root)]
        self.paths = {str(path) for file in kept for path in (file, *file.parents)}
        files = [root / path for path in self.paths if path.split("/")[0] in HOUSES]
        self.names = {file.name for file in files}
        self.modules = {file.name for file in files if file.parent.name in ("Sources", "Tests") and file.is_dir()}
        self.swift_and_kotlin = [
            COMMENT.sub("", file.read_text(encoding="utf-8"))
            for file in files
            if file.suffix in (".swift", ".kt") and file.is_file()
        ]
        self.declared = [self.declarations(text) for text in self.swift_and_kotlin]
        self.all_declared = set().union(*self.declared)
        self.commands = self.help((root / "astrolabe").read_text(encoding="utf-8"))
        self.plists = "".join(file.read_text(encoding="utf-8") for file in files if file.name == "honeycomb.plist")

    @staticmethod
    def declarations(text):
        found = set(DECLARATION.findall(text))
        for names in CASES.findall(text):
            found.update(name.strip() for name in names.split(","))
        return found

    @staticmethod
    def help(front_door):
        """The commands that the front door lists, each with its part of the text."""
        found = collections.defaultdict(str)
        names = []
        for line in re.search(r"<<EOF\n(.*?)\nEOF\n", front_door, re.DOTALL)[1].splitlines():
            if not line.startswith("   "):
                names = re.findall(r"(?:^  |, )([\w-]+)", line.split("   ")[0])
            for name in names:
                found[name] += line + "\n"
        return found

    def has_text(self, name):
        """Whether the code has this string, or the demo's property list this key."""
        return f"<key>{name}</key>" in self.plists or any(f'"{name}"' in text for text in self.swift_and_kotlin)

    def has_member(self, name):
        """Whether a file that declares or extends a type declares its member."""
        kind, member = name.rsplit(".", 1)
        kind = kind.rsplit(".", 1)[-1]
        return any({kind, member} <= declared for declared in self.declared)

    def has_command(self, name):
        _, command, *options = name.split()
        words = re.findall(r"[\w-]+", self.commands.get(command, ""))
        return all(option in words for option in options if option.startswith("-")) and bool(words)

    def has(self, name):
        path, _, line = name.partition(":")
        if line.isdigit() and path in self.paths and (self.root / path).is_file():
            return 0 < int(line) <= len((self.root / path).read_text(encoding="utf-8").splitlines())
        return bool(
            name.rstrip("/") in self.paths
            or not self.names.isdisjoint({name, f"{name}.swift"})
            or name in self.modules | self.all_declared
            or (re.fullmatch(r"[A-Z]\w+(?:\.\w+)+", name) and self.has_member(name))
            or self.has_text(name)
            or self.has_text(name.removeprefix("."))
            or (name.startswith("./astrolabe ") and self.has_command(name))
        )


def anchor(heading):
    """The anchor that a page has for a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def problems(text, root):
    """What a page names and the repository does not have.

    The first column of a table quotes the documents, which the repository does not contain, so names are not looked up
    there. A line number is never right without a file.
    """
    repository = Repository(root)
    found = []
    for line in text.splitlines():
        is_row = line.startswith("| ")
        cells = line.strip("|\n").split(" | ") if is_row else [line]
        found += [f"a line number without a file: {cell.strip()}" for cell in cells if LINE_NUMBER.search(cell)]
        for cell in cells[1:] if is_row else cells:
            found += [f"no {name}" for name in CODE.findall(cell) if not repository.has(name)]
        for target, heading in LINK.findall(line):
            file = posixpath.normpath(posixpath.join(posixpath.dirname(PAGE), target)) if target else None
            if file and file not in repository.paths:
                found.append(f"no {target}")
            elif heading:
                page = (root / file).read_text(encoding="utf-8") if file else text
                headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
                if heading not in [anchor(each) for each in headings]:
                    found.append(f"no {target}#{heading}")
    return found


class RequirementTests(unittest.TestCase):
    def test_the_page_of_differences_names_only_what_exists(self):
        text = (ROOT / PAGE).read_text(encoding="utf-8")
        self.assertGreater(len(re.findall(r"^\| ", text, re.MULTILINE)), 150)
        self.assertEqual(problems(text, ROOT), [])

    def test_a_name_that_does_not_exist_is_found(self):
        files = {
            "Sources/Model/Cart.swift": 'struct Cart {\n    let total = "demo.total"\n    case one, two\n}\n'
            '// "demo.old" was a class of its own: struct Old\n',
            "Tests/ModelTests/CartTests.swift": "struct CartTests {}\n",
            "Docs/Guide/Cart.md": "# The cart's total\n",
            PAGE: "",
            ".gitignore": "*.log\n",
            "Sources/Model/build.log": "",
            "astrolabe": "help() {\n    cat <<EOF\nRun\n  demo, trip   run it\n                    --once ends it\n"
            "  console      show it\n\n--release builds it\nEOF\n}\n  fly\n",
        }
        lawful = (
            "`Cart` `Cart.total` `Cart.two` `Model` `CartTests` `Cart.swift` `demo.total` `Sources/Model/Cart.swift`",
            "`Sources/Model/Cart.swift:5` [total](../Guide/Cart.md#the-carts-total) `./astrolabe demo`",
            "`./astrolabe trip --once` `Sources/Model/` [cart](../../Sources/Model/Cart.swift) [guide](../Guide)",
            "| `Basket`, and `Basket.swift` | `Cart` | because |",
        )
        planted = {
            "`Basket`": "no Basket",
            "`Cart.sum`": "no Cart.sum",
            "`Cart.swift.md`": "no Cart.swift.md",
            "`demo.sum`": "no demo.sum",
            "`Sources/Model/Basket.swift`": "no Sources/Model/Basket.swift",
            "`demo.old`": "no demo.old",
            "`Old`": "no Old",
            "`Sources/Model/Cart.swift:6`": "no Sources/Model/Cart.swift:6",
            "`BasketTests`": "no BasketTests",
            "`./astrolabe fly`": "no ./astrolabe fly",
            "`./astrolabe builds`": "no ./astrolabe builds",
            "`./astrolabe demo --fast`": "no ./astrolabe demo --fast",
            "`./astrolabe demo --on`": "no ./astrolabe demo --on",
            "`./astrolabe console --release`": "no ./astrolabe console --release",
            "`.git/config`": "no .git/config",
            "`build.log`": "no build.log",
            "`Sources/Model/build.log`": "no Sources/Model/build.log",
            "`/etc/passwd`": "no /etc/passwd",
            "`/etc/passwd:1`": "no /etc/passwd:1",
            "`../outside`": "no ../outside",
            "[passwd](/etc/passwd)": "no /etc/passwd",
            "[outside](../../../outside)": "no ../../../outside",
            "[total](../Guide/Basket.md)": "no ../Guide/Basket.md",
            "[total](../Guide/Cart.md#sum)": "no ../Guide/Cart.md#sum",
            "[total](#sum)": "no #sum",
            "| asked | `Basket` | because |": "no Basket",
            "| asked | here | `Basket` |": "no Basket",
            "| 98-102 | here | why |": "a line number without a file: 98-102",
            "| 115, 443 | here | why |": "a line number without a file: 115, 443",
            "See line 12.": "a line number without a file: See line 12.",
        }
        with Tree({f"repository/{path}": text for path, text in files.items()} | {"outside": ""}) as tree:
            root = tree.root / "repository"
            subprocess.run(["git", "init", "--quiet", str(root)], check=True)
            self.assertEqual(problems("\n".join(lawful), root), [])
            found = {text: problems(text, root) for text in planted}
            self.assertEqual(found, {text: [expected] for text, expected in planted.items()})


if __name__ == "__main__":
    unittest.main()
