"""OTLP requests as bytes, and a console to send them to, for the scripts that measure ingest."""
import re
import struct
import subprocess
import time


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def integer(number, value):
    return varint(number << 3) + varint(value)


def attribute(key, value):
    content = field(1, value.encode()) if isinstance(value, str) else integer(3, value)
    return field(1, key.encode()) + field(2, content)


def span(number, now, filler=0):
    attributes = {
        "http.request.method": "GET",
        "http.route": f"/api/products/{number % 200}",
        "http.response.status_code": 200,
        "session.id": f"session-{number % 64}",
        "screen.name": f"Screen{number % 9}",
    }
    if filler:
        attributes["filler"] = "x" * filler
    end = now + 1_000_000 * (number % 997 + 1)
    return (
        field(1, b"T" * 16)
        + field(2, b"S" * 8)
        + field(5, f"operation {number % 40}".encode())
        + integer(6, 1)
        + varint(7 << 3 | 1) + struct.pack("<Q", now)
        + varint(8 << 3 | 1) + struct.pack("<Q", end)
        + b"".join(field(9, attribute(*pair)) for pair in attributes.items())
    )


def template(count, filler=0):
    """A request of spans, each with the ids T… and S… to replace, and an attribute of as many bytes as `filler`."""
    now = time.time_ns()
    spans = b"".join(field(2, span(number, now, filler)) for number in range(count))
    scope = field(2, field(1, field(1, b"benchmark")) + spans)
    return field(1, field(1, field(1, attribute("service.name", "benchmark"))) + scope)


class Console:
    """A console with an empty store in a folder, on a free port."""

    def __init__(self, executable, folder, *options):
        self.database = folder + "/console.sqlite"
        self.process = subprocess.Popen(
            [executable, "console", "--port", "0", "--grpc-port", "0", "--retention-size", "100",
             "--database", self.database, *options],
            stdout=subprocess.PIPE,
        )
        self.port = int(re.search(rb"127\.0\.0\.1:(\d+)", self.process.stdout.readline()).group(1))

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def memory(self):
        """The process's own memory in bytes, without mapped files, now and at its highest."""
        with open(f"/proc/{self.process.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status if ":" in line)
        return tuple(int(lines[name].split()[0]) << 10 for name in ("RssAnon", "VmHWM"))
