"""The pages of reference that are written from the sources: every setting, and everything that the SDK emits."""

import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Optional

from law.violation import Violation

# The types whose members an app sets, in the order of the page: heading, expression in code, file.
SETTINGS = (
    ("TelemetryConfiguration", "configuration", "Sources/Astrolabe/Configuration/TelemetryConfiguration.swift"),
    ("OTLPEndpoint", "configuration.endpoint", "Sources/Delivery/Sending/OTLPEndpoint.swift"),
    ("RecordLimits", "configuration.limits", "Sources/Recording/Core/RecordLimits.swift"),
    ("RedactionOptions", "configuration.redaction", "Sources/Recording/Redaction/RedactionOptions.swift"),
    ("SessionLimits", "configuration.sessionLimits", "Sources/Sessions/SessionLimits.swift"),
    ("PolicyConfiguration", "configuration.policy", "Sources/Policy/PolicyConfiguration.swift"),
    ("HealthConfiguration", "configuration.health", "Sources/AppHealth/HealthConfiguration.swift"),
    ("HangThresholds", "configuration.health.hangThresholds", "Sources/AppHealth/Hang/HangDescription.swift"),
    ("RecorderConfiguration", "configuration.recorder", "Sources/Astrolabe/Configuration/RecorderConfiguration.swift"),
    ("RecorderTriggers", "configuration.recorder.triggers", "Sources/Recording/Recorder/RecorderTriggers.swift"),
    ("ReplayConfiguration", "configuration.replay", "Sources/Astrolabe/Configuration/ReplayConfiguration.swift"),
    (
        "RemotePolicyConfiguration", "configuration.remotePolicy",
        "Sources/RemotePolicy/RemotePolicyConfiguration.swift",
    ),
    ("RemotePolicyBounds", "configuration.remotePolicy.bounds", "Sources/PolicyDocument/RemotePolicyBounds.swift"),
    ("HTTPLimits", "HTTPLimits", "Sources/AstrolabeHTTP/HTTPLimits.swift"),
    ("AutomaticOptions", "AutomaticOptions", "Sources/AstrolabeAutomatic/AutomaticOptions.swift"),
)

SEMANTICS = "Sources/Semantics"
VARIABLE = re.compile(r"\b(?:OTEL|ASTROLABE)_[A-Z0-9_]+\b")
SETTING = re.compile(r"^    public var (\w+)(?:: ([^={]+?))?(?: = (.+?))?(?: \{.*)?$")
CASE = re.compile(r"^    case (\w+(?:\([^)]*\))?)")
METRIC = r"\b((?:Gauge|Sum|Histogram), [^.]+?)(?:, like the other four)?\."
NAME = re.compile(r'^    (?:public|package) static (?:let (\w+) = "([^"]+)"|func (\w+)\(.*\) -> String\b.*)$')


class Member(NamedTuple):
    """A documented declaration; `line` is counted from 1."""

    path: str
    line: int
    doc: List[str]
    code: str
    following: str

    @property
    def text(self) -> str:
        """The comment up to its first code block, as one line."""
        lines = []
        for line in self.doc:
            if line.startswith("    "):
                break
            lines.append(line.strip())
        return " ".join(lines).strip()


def members(root: pathlib.Path, path: str, kind: str = r"(?:enum|extension) \w+") -> Iterator[Member]:
    """The declarations at the first level of a file's types of a kind, each with its documentation."""
    doc: List[str] = []
    is_inside = False
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line and line[0] not in " #/":
            is_inside = bool(re.match(rf"(?:public |package )?{kind}\b", line))
        if not is_inside:
            continue
        if line.startswith("    ///"):
            doc.append(line[len("    /// ") :])
        elif line.startswith("    ") and line[4] not in " }@)#":
            code = line
            if line.endswith("(") or line.endswith("="):
                code += " ".join(part.strip() for part in lines[number : number + 2])
            yield Member(path, number, doc, code, lines[number] if number < len(lines) else "")
            doc = []
        elif line and not line.startswith("        "):
            doc = []


def plain(text: str) -> str:
    """A text of DocC for a cell of a table: symbols as code, no bar."""
    text = re.sub(r"``(?:[^`/]+/)?([^`(/]+)(?:\([^`]*\))?``", r"`\1`", text)
    return text.replace("|", "\\|")


def sentences(text: str) -> List[str]:
    return [part for part in re.split(r"(?<=\.)\s+(?=[A-Z`])", text) if part]


# --- Settings


def _value(code: str) -> str:
    """A default as people write it: `.seconds(1_800)` is 1,800 s."""
    if match := re.fullmatch(r"\.(seconds|milliseconds)\(([\d_.]+)\)", code):
        return f"{_number(match[2])} {'s' if match[1] == 'seconds' else 'ms'}"
    if re.fullmatch(r"[\d_.]+", code):
        return _number(code)
    if match := re.fullmatch(r"(\d+) << (\d+)", code):
        return _number(str(int(match[1]) << int(match[2])))
    if code in ("[]", "[:]", "Attributes()"):
        return "none"
    if re.fullmatch(r"\w+\(\)", code):
        name = code[:-2]
        is_listed = any(name == title for title, _, _ in SETTINGS)
        return f"[below](#{name.lower()})" if is_listed else f"`{code}`"
    if match := re.fullmatch(r"ModeTable\((.*?),?\s*\)", code):
        return re.sub(r"\.(?:milli)?seconds\([\d_.]+\)", lambda part: _value(part[0]), match[1].strip(" ,"))
    if match := re.fullmatch(r"\w*\.(\w+)", code):
        return f"`{match[1]}`"
    return f"`{code}`"


def _number(digits: str) -> str:
    whole, dot, rest = digits.replace("_", "").partition(".")
    return f"{int(whole):,}{dot}{rest}"


def _type(declared: Optional[str], value: str) -> str:
    if declared:
        return declared.strip()
    if value in ("true", "false"):
        return "Bool"
    if re.fullmatch(r"[\d_]+( << \d+)?", value):
        return "Int"
    if re.fullmatch(r"[\d_.]+", value):
        return "Double"
    return re.split(r"[.(]", value)[0]


def _unit(type_name: str, text: str) -> str:
    """The unit of a number, which is the first word of its comment."""
    if not type_name.startswith(("Int", "Double", "ModeTable")):
        return ""
    match = re.match(r"(?:UTF-8 )?(bytes|attributes|events|links|frames per second)\b", text, re.IGNORECASE)
    return f" {match[1].lower()}" if match else ""


class Setting(NamedTuple):
    member: Member
    name: str
    type: str
    code: Optional[str]
    documented: str

    @property
    def default(self) -> str:
        if self.code not in (None, "nil") and not self.code.startswith("BuildDefaults"):
            return _value(self.code) + _unit(self.type, self.member.text)
        return self.documented or ("none" if self.type.endswith("?") or self.code == "nil" else "required")


def settings(root: pathlib.Path, title: str, path: str) -> List[Setting]:
    found = []
    # What an initializer gives by itself.
    source = (root / path).read_text(encoding="utf-8")
    initial = {
        name: value
        for header in re.findall(r"^    public init\((.*)\)", source, re.MULTILINE)
        for name, value in re.findall(r"(\w+): [^=,]+ = ([^,)]+)", header)
    }
    for member in members(root, path, f"struct {title}"):
        match = SETTING.match(member.code)
        if not match or (member.code.endswith("{") and not re.search(r"\b(?:get|didSet)\b", member.following)):
            continue
        declared, code = match[2], match[3] or initial.get(match[1])
        if code and code.startswith("ModeTable(") and not code.endswith(")"):
            code = re.search(r"ModeTable\(.*", member.code)[0]
        documented = re.search(r"\bDefault:? (.+?)(?:\.(?: |$)|$)", member.text)
        found.append(
            Setting(member, match[1], _type(declared, code or ""), code, plain(documented[1]) if documented else ""))
    return found


def _chosen(kind: str) -> str:
    """The type of one value of a setting, which may be optional or a set."""
    return re.sub(r"^Set<(\w+)>$", r"\1", kind.rstrip("?"))


def choices(root: pathlib.Path) -> Dict[str, List[Member]]:
    """The cases of each top-level enumeration that a setting takes, by the name of the type."""
    wanted = {_chosen(setting.type) for title, _, path in SETTINGS for setting in settings(root, title, path)}
    found: Dict[str, List[Member]] = {}
    for file in sorted((root / "Sources").glob("**/*.swift")):
        for name in re.findall(r"^public enum (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE):
            if name in wanted:
                cases = members(root, file.relative_to(root).as_posix(), f"enum {name}")
                found[name] = [member for member in cases if CASE.match(member.code)]
    return found


def render_settings(root: pathlib.Path) -> str:
    enumerations = choices(root)
    lines = [
        "# Settings", "",
        "<!-- Written by Scripts/reference from the sources. -->", "",
        "Every setting that an app can make in code, with its default: what to record, send, keep or turn off.",
        "A column names the environment variables for the same, which `TelemetryConfiguration.load()` reads.",
        "[Configuration](../../Sources/Astrolabe/Astrolabe.docc/Configuration.md) has all variables and keys of files.",
    ]
    for title, expression, path in SETTINGS:
        source = f"[{pathlib.Path(path).name}](../../{path})"
        lines += ["", f"## {title}", "", f"In code: `{expression}`. Source: {source}.", ""]
        lines += ["| setting | type | default | variable | meaning |", "|---|---|---|---|---|"]
        for setting in settings(root, title, path):
            text = setting.member.text
            kept = [part for part in sentences(text) if not part.startswith("Default")]
            variables = ", ".join(f"`{name}`" for name in dict.fromkeys(VARIABLE.findall(" ".join(setting.member.doc))))
            kind = f"`{setting.type}`".replace("|", "\\|")
            if _chosen(setting.type) in enumerations:
                kind = f"[{kind}](#choices)"
            meaning = plain(kept[0]) if kept else ""
            lines.append(
                f"| `{setting.name}` | {kind} | {setting.default} | {variables} | {meaning} |")
    lines += ["", "## Choices", "", "The values of the types that are a choice.", ""]
    lines += ["| type | value | meaning |", "|---|---|---|"]
    for name, cases in sorted(enumerations.items()):
        for case in cases:
            lines.append(f"| `{name}` | `{CASE.match(case.code)[1]}` | {plain(case.text)} |")
    return "\n".join(re.sub(r" {2,}", " ", line) if line.startswith("|") else line for line in lines) + "\n"


def contradictions(root: pathlib.Path) -> Iterator[Violation]:
    """Defaults that a comment states otherwise than the code below it."""
    for title, _, path in SETTINGS:
        for setting in settings(root, title, path):
            said = re.match(r"`?(true|false|nil|[\d,.]*\d)`?(?: (s|ms|minutes?|hours?|MiB|KiB))?\b", setting.documented)
            if not said or not setting.code:
                continue
            unit = {"MiB": 1 << 20, "KiB": 1 << 10, "minute": 60, "minutes": 60, "hour": 3600, "hours": 3600}
            if said[1][0].isdigit():
                number = float(said[1].replace(",", "")) * unit.get(said[2] or "", 1)
                actual = re.match(r"[\d,.]+", _value(setting.code))
                if not actual or float(actual[0].replace(",", "")) == number:
                    continue
            elif setting.code == said[1]:
                continue
            message = f"the comment of {setting.name} says Default {said[0]}, the code {setting.code}"
            yield Violation(path, setting.member.line, message)


# --- Emitted


class Name(NamedTuple):
    """A constant of the semantics."""

    swift: str
    key: str
    member: Member

    @property
    def paragraphs(self) -> List[str]:
        return [" ".join(part.split()) for part in "\n".join(self.member.doc).split("\n\n")]

    @property
    def meaning(self) -> str:
        return sentences(self.paragraphs[0])[0] if self.member.doc else ""

    @property
    def standing(self) -> str:
        found = re.findall(r"(Not in the conventions|In development|Stable|Deprecated)\b", " ".join(self.paragraphs))
        return found[-1].lower() if found else ""


def names(root: pathlib.Path, file: str) -> List[Name]:
    found = []
    for member in members(root, f"{SEMANTICS}/{file}"):
        if match := NAME.match(member.code):
            found.append(Name(match[1] or match[3], match[2] or "", member))
    return found


def render_emitted(root: pathlib.Path) -> str:
    def cell(text: str) -> str:
        return re.sub(r"``(?:(\w+)/)?(\w+)(?:\([^`]*\))?``", lambda match: f"`{keys.get(match[2], match[2])}`", text)

    def part(name: Name, pattern: str) -> str:
        match = re.search(pattern, " ".join(name.paragraphs[1:]) or name.paragraphs[0])
        return match[1] if match else ""

    files = sorted(path.name for path in (root / SEMANTICS).glob("AttributeKey+*.swift"))
    metrics = names(root, "MetricName.swift") + names(root, "AttributeKey+Process.swift")
    metrics = [name for name in metrics if re.search(METRIC, " ".join(name.paragraphs))]
    attributes = [name for file in files for name in names(root, file) if name.key]
    attributes = [name for name in attributes if name not in metrics]
    events, spans = names(root, "EventName.swift"), names(root, "SpanName.swift")
    keys: Dict[str, str] = {name.swift: name.key for name in [*attributes, *events, *metrics, *spans] if name.key}
    carries = r"\bCarries (.+?)(?:\.(?: |$))"
    lines = [
        "# Everything that the SDK emits", "",
        "<!-- Written by Scripts/reference from the sources. -->", "",
        "The spans, events, metrics and attributes of the SDK and its instrumentation, for queries and boards.",
        "[What is collected](../Privacy.md) has the switches.", "",
        "The last column is the standing in the semantic conventions of OpenTelemetry. A record also carries its",
        "session, its screen and its network. The resource has the keys of `device.*`, `os.*` and `service.*`.",
        "", "## Spans", "", "| span | what it is | from when to when | kind | carries |", "|---|---|---|---|---|",
    ]
    for name in spans:
        shown = name.key or next(iter(re.findall(r"`([^`]+)`", name.paragraphs[0].replace("``", ""))), name.swift)
        when = part(name, r"(Starts .+?)\. (?:Kind|A method|Carries)")
        lines.append(
            f"| `{shown}` | {cell(name.meaning)} | {cell(when)} | {part(name, 'Kind `([a-z]+)`')} |"
            f" {cell(part(name, carries))} |")
    lines += ["", "## Events", "", "| event | what happened | emitted | carries | standing |", "|---|---|---|---|---|"]
    for name in events:
        when = part(name, r"Emitted (.+?)(?:\.(?: |$))")
        lines.append(
            f"| `{name.key}` | {cell(name.meaning)} | {cell(when)} | {cell(part(name, carries))} | {name.standing} |")
    lines += [
        "", "## Metrics", "",
        "| metric | what it measures | instrument, unit | carries | standing |", "|---|---|---|---|---|",
    ]
    for name in metrics:
        kind = re.search(METRIC, " ".join(name.paragraphs))[1].lower()
        lines.append(
            f"| `{name.key}` | {cell(name.meaning)} | {kind} | {cell(part(name, carries))} | {name.standing} |")
    lines += ["", "## Attributes", "", "| attribute | type and example | meaning | standing |", "|---|---|---|---|"]
    for name in sorted(attributes, key=lambda name: name.key):
        kind = part(name, r"((?:String|Int|Double|Bool|Map|List|Strings|Array)\b.*?)\.(?: |$)")
        lines.append(f"| `{name.key}` | {cell(kind)} | {cell(name.meaning)} | {name.standing} |")
    return "\n".join(line.replace("  ", " ") if line.startswith("|") else line for line in lines) + "\n"


PAGES = {"Docs/Guide/Settings.md": render_settings, "Docs/Guide/Emitted.md": render_emitted}


def check(root: pathlib.Path) -> Iterator[Violation]:
    for path, render in PAGES.items():
        page = root / path
        found = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
        expected = render(root).splitlines()
        for number, line in enumerate(expected + [""], 1):
            actual = found[number - 1] if number <= len(found) else ""
            if actual != line:
                yield Violation(path, number, f"stale; expected '{line}'. Run Scripts/reference --write")
                break
    yield from contradictions(root)


def write(root: pathlib.Path) -> None:
    for path, render in PAGES.items():
        (root / path).write_text(render(root), encoding="utf-8")
