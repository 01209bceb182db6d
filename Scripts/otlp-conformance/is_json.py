"""Prints for each text of a file, which are separated by NUL, whether Python takes it for JSON: 1 or 0."""

import json
import pathlib
import sys


def is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def main() -> None:
    texts = pathlib.Path(sys.argv[1]).read_bytes().split(b"\0")
    print("".join("1" if is_json(text) else "0" for text in texts), end="")


if __name__ == "__main__":
    main()
