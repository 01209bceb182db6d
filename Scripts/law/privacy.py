"""Compares the SDK's sources with its privacy manifest."""

import pathlib
import plistlib
import re
from typing import Dict, Iterator, List, Tuple

from law import conditions, swift_source
from law.module_table import ModuleTable
from law.modules import SDK
from law.packages import Repository
from law.violation import Violation

MANIFEST = "Sources/Astrolabe/PrivacyInfo.xcprivacy"
RESOURCE = '.copy("PrivacyInfo.xcprivacy")'

_CALL = r"(?<![\w.])(?<!func )(?:{})\s*\("
_PREFIX = "NSPrivacyAccessedAPICategory"
# Apple's list of API that need a reason, and the reasons of each category. `KERN_BOOTTIME` is not on the list and gives
# the same value; `attributesOfItem` returns timestamps and sizes under keys that are.
_CATEGORIES: Dict[str, Tuple[re.Pattern, set]] = {
    "FileTimestamp": (
        re.compile(
            _CALL.format("[fl]?stat|fstatat|f?getattrlist|getattrlistat|getattrlistbulk")
            + r"|\b(?:creationDate(?:Key)?|modificationDate|fileModificationDate|contentModificationDate(?:Key)?"
            r"|attributesOfItem)\b"
        ),
        {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"},
    ),
    "SystemBootTime": (
        re.compile(r"\b(?:systemUptime|mach_absolute_time|KERN_BOOTTIME)\b"),
        {"35F9.1", "8FFB.1", "3D61.1"},
    ),
    "DiskSpace": (
        re.compile(
            _CALL.format("f?statfs|f?statvfs")
            + r"|\b(?:volumeAvailableCapacity\w*|volumeTotalCapacity\w*|systemFreeSize|systemSize"
            r"|attributesOfFileSystem)\b"
        ),
        {"85F4.1", "E174.1", "7D9E.1", "B728.1"},
    ),
    "ActiveKeyboards": (re.compile(r"\bactiveInputModes\b"), {"3EC4.1", "54BD.1"}),
    "UserDefaults": (
        re.compile(r"\b(?:NS)?UserDefaults\b|@AppStorage\b|@SceneStorage\b"),
        {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"},
    ),
}


def check(root: pathlib.Path, repository: Repository, table: ModuleTable) -> List[Violation]:
    """Returns every difference between the manifest and what the SDK's sources use on Apple platforms."""
    text = (root / MANIFEST).read_bytes()
    try:
        manifest = plistlib.loads(text)
    except Exception as error:
        return [Violation(MANIFEST, 1, f"expected a property list: {error}")]
    declared = {
        entry.get("NSPrivacyAccessedAPIType", ""): set(entry.get("NSPrivacyAccessedAPITypeReasons", []))
        for entry in manifest.get("NSPrivacyAccessedAPITypes", [])
    }
    found: List[Violation] = []
    used = set()
    for path, number, category, name in _uses(root, repository, table):
        used.add(_PREFIX + category)
        if _PREFIX + category not in declared:
            message = f"{name} needs a reason: declare {_PREFIX}{category} in {MANIFEST}"
            found.append(Violation(path, number, message))
    lines = text.decode("utf-8").split("\n")
    for category, reasons in declared.items():
        line = next((number for number, line in enumerate(lines, start=1) if category and category in line), 1)
        allowed = _CATEGORIES.get(category[len(_PREFIX) :], (None, set()))[1]
        if category not in used:
            found.append(Violation(MANIFEST, line, f"declares {category}, which no source of the SDK uses"))
        elif not reasons or reasons - allowed:
            expected = ", ".join(sorted(allowed))
            found.append(Violation(MANIFEST, line, f"expected reasons of {category} among {expected}"))
    if manifest.get("NSPrivacyTracking") is not False:
        found.append(Violation(MANIFEST, 1, "expected NSPrivacyTracking to be false"))
    if not manifest.get("NSPrivacyCollectedDataTypes"):
        found.append(Violation(MANIFEST, 1, "expected the types of data that the SDK collects"))
    if RESOURCE not in (root / "Package.swift").read_text(encoding="utf-8"):
        found.append(Violation("Package.swift", 1, f"expected {RESOURCE} in the resources of a target"))
    return found


def _uses(root: pathlib.Path, repository: Repository, table: ModuleTable) -> Iterator[Tuple[str, int, str, str]]:
    """Finds the listed API in what the SDK compiles on Apple platforms."""
    base = root.resolve()
    for target in repository.targets.values():
        if repository.home(root, target) != SDK or target.kind == "test" or table.layer(target.name) == "test-support":
            continue
        for file in sorted((base / target.folder).resolve().rglob("*")):
            if file.suffix not in {".swift", ".c", ".h", ".m"}:
                continue
            code = swift_source.read(file.read_text(encoding="utf-8")).code
            lines = code.split("\n")
            if file.suffix == ".swift":
                platforms = conditions.platforms_by_line(code)
                lines = [line if platforms[index] else "" for index, line in enumerate(lines)]
            for number, line in enumerate(lines, start=1):
                for category, (pattern, _) in _CATEGORIES.items():
                    if match := pattern.search(line):
                        name = match[0].strip(" (")
                        yield file.relative_to(base).as_posix(), number, category, name
