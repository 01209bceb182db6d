"""README.md, followed to the letter: its manifest, its first span, and a receiver where it sends by default."""

import gzip
import http.server
import re
import subprocess
import threading
import time

from consumer.release import Release, has_built

PORT = 4318
SPAN = b"place order"
# The longest waits, in seconds: for another program to leave the port, and for a program that hangs.
PORT_WAIT = 60
PROGRAM_WAIT = 300

SNIPPET = re.compile(r"<!-- snippet: ([a-z-]+) -->\n+```[a-z]*\n(.*?)```", re.DOTALL)


def snippets(markdown: str) -> dict[str, str]:
    """The fenced blocks that follow a comment `<!-- snippet: name -->`."""
    return dict(SNIPPET.findall(markdown))


class Receiver(http.server.ThreadingHTTPServer):
    """Accepts OTLP over HTTP and looks for one span by its name, which protobuf holds as plain UTF-8."""

    allow_reuse_address = True

    def __init__(self) -> None:
        self.span_arrived = threading.Event()
        super().__init__(("127.0.0.1", PORT), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @classmethod
    def when_port_is_free(cls) -> "Receiver":
        """Opens the port as soon as no other program has it. It is the default, so a developer's console may."""
        for _ in range(PORT_WAIT):
            try:
                return cls()
            except OSError:
                time.sleep(1)
        return cls()

    def handle_error(self, *_) -> None:
        """Prints nothing when the program ends in the middle of a request."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if self.path == "/v1/traces" and SPAN in body:
            self.server.span_arrived.set()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        """Prints nothing."""


def check(release: Release, report) -> None:
    found = snippets((release.root / "README.md").read_text(encoding="utf-8"))
    for name in ("install", "first-span"):
        if name not in found:
            report.fail(f"README.md has no code block after <!-- snippet: {name} -->")
            return
    files = {"Package.swift": found["install"], "Sources/MyApp/main.swift": found["first-span"]}
    package = release.package("readme", files)
    if not has_built(release, package, "MyApp", report):
        return
    try:
        receiver = Receiver.when_port_is_free()
    except OSError as error:
        report.fail(f"cannot receive on port {PORT}, where the SDK sends by default: {error}. Stop what listens there.")
        return
    program = subprocess.Popen(
        [str(release.build_folder(package) / "debug" / "MyApp")], env=release.environment(), stdin=subprocess.DEVNULL)
    try:
        status = program.wait(PROGRAM_WAIT)
    except subprocess.TimeoutExpired:
        program.kill()
        status = program.wait()
    finally:
        receiver.shutdown()
        receiver.server_close()
    report.require(status == 0, "README's first span ended with status", str(status), "0")
    # The program ends when the receiver has acknowledged its span.
    arrived = receiver.span_arrived.is_set()
    report.require(arrived, "README's first span", "arrived" if arrived else "nothing", SPAN.decode())
