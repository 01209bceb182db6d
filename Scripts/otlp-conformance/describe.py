"""Prints what the official OTLP messages read in request files, one canonical JSON text a line.

    describe.py traces request.bin another.json

A file that ends in .json has OTLP/JSON. A file that they refuse is described as `{"refused": "..."}`.
"""

import json
import pathlib
import sys

from google.protobuf.json_format import ParseError
from google.protobuf.message import DecodeError

import canonical


def main() -> None:
    signal, *paths = sys.argv[1:]
    for path in paths:
        try:
            parse = canonical.parse_json if path.endswith(".json") else canonical.parse
            request = parse(signal, pathlib.Path(path).read_bytes())
            described = canonical.describe(signal, request)
        except (DecodeError, ParseError) as error:
            described = {"refused": str(error)}
        print(json.dumps(described))


if __name__ == "__main__":
    main()
