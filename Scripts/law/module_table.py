"""Reads `Scripts/modules.txt`, the table of which module may import which."""

from typing import Dict, FrozenSet, List, NamedTuple, Set, Tuple

from law.violation import Violation

LAYERS = ("leaf", "core", "feature", "facade", "bridge", "app", "stand-in", "service", "command")
SDK_LAYERS = frozenset({"leaf", "core", "feature", "facade", "bridge"})
PHONE_LAYERS = SDK_LAYERS | {"app"}
ANY_LIBRARY_LAYERS = frozenset({"service", "command"})


class Row(NamedTuple):
    """One module of ours: its layer, what it may import, and where the table says so."""

    layer: str
    may_import: FrozenSet[str]
    line: int


class ModuleTable:
    """What the table says, and what is wrong with the table itself."""

    def __init__(self, text: str, path: str = "Scripts/modules.txt"):
        self.path = path
        self.rows: Dict[str, Row] = {}
        self.violations: List[Violation] = []
        self.products: Dict[str, Set[str]] = {}
        self.names: Dict[str, Set[str]] = {key: set() for key in _LISTS}
        for number, line in enumerate(text.split("\n"), start=1):
            line = line.split("#", 1)[0].strip()
            if line:
                self._read(line, number)
        self._check_rows()

    @property
    def system_libraries(self) -> Set[str]:
        return self.names["system-library"]

    @property
    def sdk_libraries(self) -> Set[str]:
        return self.names["sdk-library"]

    @property
    def platform(self) -> Set[str]:
        return self.names["platform"]

    @property
    def platform_new(self) -> Set[str]:
        return self.names["platform-new"]

    def in_layers(self, layers) -> Set[str]:
        """The modules of these layers."""
        return {name for name, row in self.rows.items() if row.layer in layers}

    def allows(self, importer: str, module: str) -> bool:
        """Whether a module of ours may import another of ours, or one of a library."""
        row = self.rows[importer]
        ours = module in self.rows or module in self.system_libraries
        return module in row.may_import or (row.layer in ANY_LIBRARY_LAYERS and not ours)

    def modules_of_product(self, product: str) -> Set[str]:
        """What a dependency on a product of a library allows to import."""
        return self.products.get(product, {product})

    def _read(self, line: str, number: int) -> None:
        keyword, _, rest = line.partition(" ")
        if keyword in _LISTS:
            self.names[keyword] |= set(rest.split())
            return
        name, colon, names = (part.strip() for part in rest.partition(":"))
        if keyword == "product" and colon:
            self.products[name] = set(names.split())
        elif keyword in LAYERS and colon and name not in self.rows:
            self.rows[name] = Row(keyword, frozenset(names.split()), number)
        else:
            self._complain(number, f"expected '<layer> <module>: <imports>' with a new module, found '{line}'")

    def _check_rows(self) -> None:
        features = self.in_layers({"feature"})
        for name, row in self.rows.items():
            ours = row.may_import & set(self.rows)
            others = row.may_import - set(self.rows) - self.sdk_libraries
            if row.layer == "leaf" and ours:
                self._complain(row.line, f"{name} is a leaf and may import nothing of ours, not {_list(ours)}")
            if row.layer == "feature" and ours & features:
                self._complain(row.line, f"{name} is a feature and may not import the feature {_list(ours & features)}")
            if row.layer in SDK_LAYERS - {"bridge"} and others:
                self._complain(row.line, f"{name} is of the SDK, which may not depend on {_list(others)}")
        for cycle in cycles({name: set(row.may_import) for name, row in self.rows.items()}):
            self._complain(self.rows[cycle[0]].line, f"the table allows a cycle: {' -> '.join(cycle)}")

    def _complain(self, line: int, message: str) -> None:
        self.violations.append(Violation(self.path, line, message))


def cycles(graph: Dict[str, Set[str]]) -> List[Tuple[str, ...]]:
    """The cycles of a graph, each once, from its alphabetically first module back to it."""
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


def _list(names) -> str:
    return ", ".join(sorted(names))


_LISTS = ("system-library", "sdk-library", "platform", "platform-new")
