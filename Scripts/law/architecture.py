"""Writes the generated part of `Docs/Architecture.md`: the diagrams and the table of modules."""

import pathlib
from typing import Dict, Iterator, List, Set

from law.module_table import LAYERS, SDK_LAYERS, ModuleTable
from law.modules import SDK
from law.packages import Repository, Target
from law.violation import Violation

PAGE = "Docs/Architecture.md"
BEGIN = "<!-- Generated from the manifests by `Scripts/architecture --write`. -->"
END = "<!-- End of the generated part. -->"
_INTERNALS = "_AstrolabeInternals"


def render(root: pathlib.Path, repository: Repository, table: ModuleTable) -> str:
    """Returns the generated part with its markers."""
    modules = [target for name, target in repository.targets.items() if name in table.rows]
    lines = [BEGIN, "", "### Packages", ""]
    lines += _mermaid(_package_graph(modules, repository))
    lines += ["", "### Modules of the SDK", ""]
    lines += _mermaid(_sdk_graph(root, modules, repository, table))
    lines += ["", "### All modules", ""]
    lines += _table(root, modules, repository, table)
    return "\n".join(lines + ["", END])


def check(page: str, generated: str) -> List[Violation]:
    """Returns a violation if the page does not hold the generated part as it should be."""
    start, end = page.find(BEGIN), page.find(END)
    if start < 0 or end < 0:
        return [Violation(PAGE, 1, f"expected the lines '{BEGIN}' and '{END}'")]
    found = page[start : end + len(END)].split("\n")
    expected = generated.split("\n")
    for number, line in enumerate(expected):
        if number >= len(found) or found[number] != line:
            at = page.count("\n", 0, start) + number + 1
            message = f"stale; expected '{line}'. Run Scripts/architecture --write"
            return [Violation(PAGE, at, message)]
    return []


def write(page: str, generated: str) -> str:
    """Returns the page with a new generated part."""
    before, _, rest = page.partition(BEGIN)
    return before + generated + rest.partition(END)[2]


def _short(name: str) -> str:
    if name.startswith("CAstrolabe"):
        return "C" + name[len("CAstrolabe") :]
    rest = name[len("Astrolabe") :]
    return rest if name.startswith("Astrolabe") and rest not in ("", "SwiftUI", "HTTP", "Testing") else name


def _mermaid(graph: Dict[str, Set[str]]) -> Iterator[str]:
    """Draws a graph, without the arrows that follow from other arrows."""
    yield "```mermaid"
    yield "flowchart TD"
    alone = set(graph) - {name for name in graph if graph[name]} - set().union(*graph.values())
    for name in sorted(alone):
        yield f"    {name}"
    for name in sorted(graph):
        indirect = set().union(*(_reach(graph, other) - {other} for other in graph[name]))
        for other in sorted(graph[name] - indirect):
            yield f"    {name} --> {other}"
    yield "```"


def _reach(graph: Dict[str, Set[str]], start: str) -> Set[str]:
    found, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, ())
    return found


def _package_graph(modules: List[Target], repository: Repository) -> Dict[str, Set[str]]:
    graph: Dict[str, Set[str]] = {target.package: set() for target in modules}
    for target in modules:
        graph[target.package] |= {package for package, _ in target.products if package in graph}
    return graph


def _sdk_graph(
    root: pathlib.Path, modules: List[Target], repository: Repository, table: ModuleTable
) -> Dict[str, Set[str]]:
    own = {
        target.name: target
        for target in modules
        if table.layer(target.name) in SDK_LAYERS | {"native"} and repository.home(root, target) == SDK
    }
    graph = {}
    for name, target in own.items():
        depends = set(target.targets)
        for package, product in target.products:
            if not product.startswith("_"):
                depends |= repository.modules_of((package, product)) or set()
        graph[_short(name)] = set(map(_short, depends & set(own)))
    return graph


def _table(
    root: pathlib.Path, modules: List[Target], repository: Repository, table: ModuleTable
) -> Iterator[str]:
    yield "| module | package | layer | what it is | depends on |"
    yield "|---|---|---|---|---|"
    packages = list(dict.fromkeys(target.package for target in repository.targets.values()))
    rows = []
    for target in modules:
        row = table.rows[target.name]
        home = repository.home(root, target)
        order = (packages.index(home), LAYERS.index(row.layer), target.name)
        depends = ", ".join(_dependencies(target, repository)) or "nothing"
        rows.append((order, f"| `{target.name}` | {home} | {row.layer} | {row.summary} | {depends} |"))
    for _, line in sorted(rows):
        yield line


def _dependencies(target: Target, repository: Repository) -> Iterator[str]:
    yield from (f"`{name}`" for name in sorted(target.targets))
    ours = sorted(product for package, product in target.products if repository.modules_of((package, product)))
    yield from (f"`{name}`" for name in ours if not name.startswith("_"))
    if _INTERNALS in ours:
        yield "SDK internals"
    if "_AstrolabeTestSupport" in ours:
        yield "`AstrolabeTestSupport`"
    yield from sorted(product for package, product in target.products if not repository.modules_of((package, product)))
