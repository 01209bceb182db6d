"""Prints what the official OTLP messages read in request files, one canonical JSON text a line.

    describe.py traces request.bin another.bin

A file that they refuse is described as `{"refused": "..."}`.
"""

import json
import pathlib
import sys

from google.protobuf.message import DecodeError

import canonical


def main() -> None:
    signal, *paths = sys.argv[1:]
    for path in paths:
        try:
            request = canonical.parse(signal, pathlib.Path(path).read_bytes())
            described = canonical.describe(signal, request)
        except DecodeError as error:
            described = {"refused": str(error)}
        print(json.dumps(described))


if __name__ == "__main__":
    main()
