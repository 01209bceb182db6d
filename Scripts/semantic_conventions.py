"""Prints what the `opentelemetry-semantic-conventions` package knows, as one JSON object.

    {"schema": "https://opentelemetry.io/schemas/1.44.0", "attributes": {"http.method": "Deprecated", ...}}

The standing of a name is "Stable", "In development" or "Deprecated". The package leaves out the namespaces of other
platforms (`ios`, `android`), and all events.
"""

import ast
import importlib.util
import json
import pathlib


def constants(folder: pathlib.Path):
    """Yields each string constant of the folder's modules with the documentation that follows it."""
    for module in sorted(folder.glob("*.py")):
        body = ast.parse(module.read_text(encoding="utf-8")).body
        for statement, successor in zip(body, body[1:] + [None]):
            if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.value, ast.Constant):
                continue
            documented = isinstance(successor, ast.Expr) and isinstance(successor.value, ast.Constant)
            yield statement.value.value, successor.value.value.strip() if documented else ""


def main() -> None:
    root = pathlib.Path(importlib.util.find_spec("opentelemetry.semconv").submodule_search_locations[0])
    attributes = {}
    for name, documentation in constants(root / "_incubating" / "attributes"):
        attributes[name] = "Deprecated" if documentation.startswith("Deprecated:") else "In development"
    for name, documentation in constants(root / "attributes"):
        attributes[name] = "Deprecated" if documentation.startswith("Deprecated:") else "Stable"

    from opentelemetry.semconv.schemas import Schemas

    print(json.dumps({"schema": list(Schemas)[-1].value, "attributes": attributes}))


main()
