"""Reads `Scripts/modules.txt`, the table of modules and their layers."""

from typing import Dict, List, NamedTuple, Set, Tuple

from law.violation import Violation

LAYERS = (
    "native",
    "leaf",
    "core",
    "feature",
    "facade",
    "integration",
    "app",
    "stand-in",
    "tool",
    "program",
    "test-support",
)
SDK_LAYERS = frozenset({"leaf", "core", "feature", "facade"})
PHONE_LAYERS = SDK_LAYERS | {"integration", "app"}
# What a module of each SDK layer may import; the others may import any layer.
MAY_IMPORT = {
    "native": frozenset(),
    "leaf": frozenset({"native"}),
    "core": frozenset({"native", "leaf", "core"}),
    "feature": frozenset({"native", "leaf", "core"}),
    "facade": frozenset({"native", "leaf", "core", "feature", "facade", "stand-in"}),
    "integration": frozenset({"native", "leaf", "core", "feature", "facade"}),
}


class Row(NamedTuple):
    """A module: its layer, what it is, and its line in the table."""

    layer: str
    summary: str
    line: int


class ModuleTable:
    """The rows of the table, its lists of library modules, and the errors found in it."""

    def __init__(self, text: str, path: str = "Scripts/modules.txt"):
        self.path = path
        self.rows: Dict[str, Row] = {}
        self.violations: List[Violation] = []
        self.products: Dict[str, Set[str]] = {}
        self.unused: Dict[str, Set[str]] = {}
        self.names: Dict[str, Set[str]] = {key: set() for key in _LISTS}
        for number, line in enumerate(text.split("\n"), start=1):
            line = line.strip()
            if line and not line.startswith("#"):
                self._read(line, number)

    @property
    def sdk_libraries(self) -> Set[str]:
        return self.names["sdk-library"]

    @property
    def platform(self) -> Set[str]:
        return self.names["platform"]

    @property
    def platform_new(self) -> Set[str]:
        return self.names["platform-new"]

    def layer(self, module: str) -> str:
        """Returns the layer of a module, or an empty text for a module without a row."""
        row = self.rows.get(module)
        return row.layer if row else ""

    def modules_of_product(self, product: str) -> Set[str]:
        """Returns the modules in a product of another repository."""
        return self.products.get(product, {product})

    def _read(self, line: str, number: int) -> None:
        keyword, _, rest = line.partition(" ")
        if keyword in _LISTS:
            self.names[keyword] |= set(rest.split())
            return
        name, colon, text = (part.strip() for part in rest.partition(":"))
        if keyword == "product" and colon:
            self.products[name] = set(text.split())
        elif keyword == "unused" and colon:
            self.unused[name] = set(text.split())
        elif keyword in LAYERS and text and name not in self.rows:
            self.rows[name] = Row(keyword, text, number)
        else:
            message = f"expected '<layer> <module>: <what it is>' with a new module, found '{line}'"
            self.violations.append(Violation(self.path, number, message))


def cycles(graph: Dict[str, Set[str]]) -> List[Tuple[str, ...]]:
    """Returns each cycle of a graph once, from its alphabetically first module back to it."""
    found: Set[Tuple[str, ...]] = set()
    done: Set[str] = set()

    def visit(name: str, path: List[str]) -> None:
        if name in path:
            cycle = path[path.index(name) :]
            first = cycle.index(min(cycle))
            cycle = cycle[first:] + cycle[:first]
            found.add(tuple(cycle + cycle[:1]))
            return
        if name in done or name not in graph:
            return
        for successor in sorted(graph[name]):
            visit(successor, path + [name])
        done.add(name)

    for name in sorted(graph):
        visit(name, [])
    return sorted(found)


_LISTS = ("sdk-library", "platform", "platform-new")
