"""What each product adds to a stripped release binary, what its modules weigh, and whether a product has grown."""

import pathlib
import re
from typing import Dict, Iterator, NamedTuple, Tuple

SIZES = "Scripts/consumer/sizes.txt"
# A product may grow by so much before its recorded size must change, in the commit that says why.
TOLERANCE = 0.02
# The linker aligns segments to so many bytes.
PAGE = 4_096
UPDATE = "Scripts/consumer-test fresh --figures --update"

HEAD = f"""# Bytes that each product adds to a stripped release binary, written by
# `{UPDATE}`. A product that grows by more than 2 % fails
# `Scripts/consumer-test fresh --figures`. Sizes of another compiler or processor are not compared.
#
#     toolchain <compiler and processor>
#     <product> <bytes>

"""

# A Swift symbol begins with the module of what it names, as a length and a name.
_MODULE = re.compile(r"^\$s(\d+)")
# A specialisation of generic code of another module names ours later.
_OURS = re.compile(r"(\d+)(?=C?Astrolabe)")


class Sizes(NamedTuple):
    toolchain: str
    products: Dict[str, int]


def read(text: str) -> Sizes:
    """Reads a file of sizes. A product whose size is not a number yet counts as absent."""
    lines = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    fields = {name: value.strip() for name, value in lines}
    toolchain = fields.pop("toolchain", "")
    return Sizes(toolchain, {name: int(value) for name, value in fields.items() if value.isdigit()})


def text(sizes: Sizes) -> str:
    rows = "".join(f"{name} {size}\n" for name, size in sizes.products.items())
    return f"{HEAD}toolchain {sizes.toolchain}\n{rows}"


def compare(recorded: Sizes, measured: Sizes, report) -> None:
    """Reports the size of each product, and fails for one that has grown."""
    if recorded.toolchain != measured.toolchain:
        report.figure("sizes are not compared", f"they were recorded with {recorded.toolchain}")
    for name, size in measured.products.items():
        what, found = f"{name} adds to a stripped binary", f"{size / 1e6:.2f} MB ({size:,} bytes)"
        if recorded.toolchain != measured.toolchain:
            report.figure(what, found)
            continue
        before = recorded.products.get(name)
        # A section that comes to its next page adds a page, however little has changed.
        limit = (before or 0) + max(int((before or 0) * TOLERANCE), PAGE)
        expected = f"at most {limit:,} bytes, 2 % or a page more than in {SIZES}"
        if before is None:
            expected = f"a size in {SIZES}. Run {UPDATE}"
        report.require(before is not None and size <= limit, what, found, expected)


def modules(symbols: str) -> Iterator[Tuple[str, int]]:
    """The bytes of each module, the largest first, from what `nm --print-size` prints."""
    bytes_of: Dict[str, int] = {}
    for line in symbols.splitlines():
        fields = line.split()
        if len(fields) == 4:
            name = module(fields[3])
            bytes_of[name] = bytes_of.get(name, 0) + int(fields[1], 16)
    yield from sorted(bytes_of.items(), key=lambda item: -item[1])


def module(symbol: str) -> str:
    """The module that a symbol belongs to."""
    found = _MODULE.match(symbol) or _OURS.search(symbol)
    if found:
        return symbol[found.end() :][: int(found[1])]
    return "generic code of the standard library" if symbol.startswith("$s") else "C, and what the linker adds"


def recorded(root: pathlib.Path) -> Sizes:
    file = root / SIZES
    return read(file.read_text(encoding="utf-8") if file.exists() else "")
