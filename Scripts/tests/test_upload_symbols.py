"""Tests of Scripts/upload-symbols against a server that behaves badly. AstrolabeCLITests run it against a console."""

import contextlib
import functools
import gzip
import http.server
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import plistlib
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "upload-symbols"
KEY = "astrolabe_symbols_secret0123456789"


@functools.lru_cache(maxsize=None)
def module():
    loader = importlib.machinery.SourceFileLoader("upload_symbols", str(SCRIPT))
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader("upload_symbols", loader))
    sys.modules["upload_symbols"] = loaded
    with unittest.mock.patch.dict(os.environ, {"ASTROLABE_UPLOAD_WAIT": "0.001"}):
        loader.exec_module(loaded)
    return loaded


def macho(uuid: bytes) -> bytes:
    commands = struct.pack("<II", 0x1B, 24) + uuid
    return struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 10, 1, len(commands), 0, 0) + commands


def universal(*images: bytes) -> bytes:
    header = struct.pack(">II", 0xCAFEBABE, len(images))
    content = b""
    for image in images:
        header += struct.pack(">5I", 0, 0, 8 + 20 * len(images) + len(content), len(image), 0)
        content += image
    return header + content


def elf(build: bytes) -> bytes:
    note = struct.pack("<III", 4, len(build), 3) + b"GNU\0" + build
    section = struct.pack("<IIQQQQIIQQ", 0, 7, 0, 0, 64, len(note), 0, 0, 4, 0)
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    header = ident + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 0, 64 + len(note), 0, 64, 0, 0, 64, 1, 0)
    return header + note + section


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        server = self.server
        server.requests.append((self.command, self.path, dict(self.headers), body))
        status, headers, answer = server.answer(self.command, self.path)
        if status == 0:
            self.close_connection = True
            return
        data = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = respond

    def log_message(self, *_) -> None:
        """Prints nothing."""


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers) -> None:
        self.requests = []
        self.answers = list(answers)
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, method: str, path: str):
        """The next scripted answer; without one, that of a console without symbols."""
        if self.answers:
            return self.answers.pop(0)
        if method == "GET":
            return 404, {}, {"error": "no symbols"}
        return 200, {}, {"symbols": [{"buildID": "00", "name": "x", "isNew": True}]}


class UploadSymbolsTests(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.directory.name)
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()
        self.directory.cleanup()

    def serve(self, *answers) -> Server:
        server = Server(answers)
        self.servers.append(server)
        return server

    def file(self, name: str, content: bytes) -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def bundle(self, name: str, uuid: bytes, version: str = "3.0") -> pathlib.Path:
        self.file(f"{name}.dSYM/Contents/Resources/DWARF/{pathlib.Path(name).stem}", macho(uuid))
        facts = plistlib.dumps({"CFBundleShortVersionString": version, "CFBundleVersion": "7"})
        return self.file(f"{name}.dSYM/Contents/Info.plist", facts).parent.parent

    def run_script(self, *words, status=0, **environment):
        """Runs the script's main function, which takes less time than a process for each run."""
        # Without git: the temporary folder is no repository.
        names = {"PATH": "", "ASTROLABE_KEY": KEY}
        names.update(environment)
        output = io.StringIO()
        before = os.getcwd()
        with unittest.mock.patch.dict(os.environ, names, clear=True), contextlib.redirect_stdout(output):
            try:
                os.chdir(self.folder)
                ended = module().main([str(word) for word in words])
            finally:
                os.chdir(before)
        self.assertEqual(ended, status, output.getvalue())
        self.assertNotIn(KEY, output.getvalue())
        return output.getvalue()

    def test_runs_as_a_program(self):
        ended = subprocess.run(
            [sys.executable, str(SCRIPT), "--strict"], env={"PATH": os.environ.get("PATH", "")},
            stdout=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual((ended.returncode, "error: upload-symbols: no console" in ended.stdout), (1, True))

    def test_explains_its_options(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as end:
            module().main(["--help"])
        self.assertEqual(end.exception.code, 0)
        self.assertIn("--allow-http", output.getvalue())

    def test_finds_the_build_ids_of_every_format(self):
        script = module()
        one, two = bytes(range(1, 17)), bytes(range(2, 18))
        for content, builds in (
            (macho(one), [one.hex()]), (universal(macho(one), macho(two)), [one.hex(), two.hex()]),
            (elf(bytes(range(1, 21))), [bytes(range(1, 21)).hex()]), (b"", []), (b"#!/bin/sh\n", []),
            (struct.pack(">II", 0xCAFEBABE, 52), []),
        ):
            self.assertEqual(script.builds_of(self.file("image", content)), builds)
        # Damaged files have none, and stop nothing. They are in memory, because there are hundreds.
        for content in (macho(one), universal(macho(one)), elf(one)):
            damaged = [content[:length] for length in range(len(content))]
            damaged += [content[:at] + b"\xff\xff\xff\xff" + content[at + 4 :] for at in range(min(len(content), 128))]
            for file in map(io.BytesIO, damaged):
                with unittest.mock.patch.object(script, "open", lambda *_, file=file: file, create=True):
                    script.builds_of(pathlib.Path("image"))

    def test_takes_everything_from_the_settings_of_a_build(self):
        server = self.serve()
        self.bundle("Shop.app", bytes(range(1, 17)))
        output = self.run_script(
            ASTROLABE_CONSOLE=server.address,
            DWARF_DSYM_FOLDER_PATH=str(self.folder), DWARF_DSYM_FILE_NAME="Shop.app.dSYM",
            DEBUG_INFORMATION_FORMAT="dwarf-with-dsym", MARKETING_VERSION="2.1.0", CURRENT_PROJECT_VERSION="45",
            GITHUB_SHA="6f1d0c2b9a",
        )
        self.assertIn("recorded 2.1.0 (45), commit 6f1d0c2", output)
        (get, upload, mark) = server.requests
        self.assertEqual(get[:2], ("GET", f"/api/v1/symbols/{bytes(range(1, 17)).hex()}"))
        self.assertEqual(upload[2]["Authorization"], f"Bearer {KEY}")
        self.assertEqual(gzip.decompress(upload[3]), macho(bytes(range(1, 17))))
        self.assertIn("service.version=2.1.0", upload[1])
        release = json.loads(mark[3])
        self.assertEqual(release["builds"], [bytes(range(1, 17)).hex()])
        self.assertEqual(release["astrolabe.app.build_number"], "45")

    def test_takes_the_version_from_the_bundle_and_all_bundles_of_an_archive(self):
        server = self.serve()
        self.bundle("archive/dSYMs/Shop.app", bytes(range(1, 17)))
        self.bundle("archive/dSYMs/Widget.appex", bytes(range(2, 18)))
        output = self.run_script("--to", server.address, "archive")
        self.assertIn("recorded 3.0 (7)", output)
        self.assertEqual([request[0] for request in server.requests], ["GET", "POST", "GET", "POST", "POST"])

    def test_prefers_debug_files_and_sends_a_build_once(self):
        server = self.serve()
        self.file("out/shop", elf(bytes(range(1, 21))))
        self.file("out/shop.debug", elf(bytes(range(1, 21))))
        self.file("out/notes.txt", b"text")
        self.run_script("--to", server.address, "out", "out/shop")
        names = [request[1] for request in server.requests if request[0] == "POST"]
        self.assertEqual(names, ["/api/v1/symbols?name=shop.debug"])

    def test_says_how_far_a_large_file_is(self):
        server = self.serve()
        content = elf(bytes(range(1, 21))) + os.urandom(90_000)
        with unittest.mock.patch.object(module(), "LARGE", 80_000):
            output = self.run_script("--to", server.address, self.file("shop", content))
        shares = [line.split()[0] for line in output.splitlines() if " % of " in line]
        self.assertEqual(shares, ["20", "40", "60", "80", "100"])
        self.assertEqual(gzip.decompress(server.requests[1][3]), content)

    def test_does_not_send_what_the_console_has(self):
        server = self.serve((200, {}, {"hasLines": True}))
        self.assertIn("exists", self.run_script("--to", server.address, self.file("shop", elf(bytes(range(1, 21))))))
        self.assertEqual(len(server.requests), 1)
        # Functions alone are replaced by lines.
        server = self.serve((200, {}, {"hasLines": False}))
        self.assertIn("added", self.run_script("--to", server.address, "shop"))

    def test_tries_again_and_gives_up(self):
        image = self.file("shop", elf(bytes(range(1, 21))))
        server = self.serve((503, {"retry-after": "0"}, {}), (0, {}, {}), (404, {}, {}), (500, {}, {}), (429, {}, {}))
        output = self.run_script("--to", server.address, image)
        self.assertIn("status 503; trying again", output)
        self.assertIn("added", output)
        bodies = [request[3] for request in server.requests if request[0] == "POST"]
        self.assertEqual(len(bodies), 3)
        self.assertEqual(len(set(bodies)), 1)
        server = self.serve(*[(503, {}, {})] * 5)
        output = self.run_script("--to", server.address, image)
        self.assertIn("warning: upload-symbols: no answer", output)
        self.assertEqual(len(server.requests), 5)

    def test_says_what_is_wrong_and_fails_only_if_it_is_strict(self):
        image = self.file("shop", elf(bytes(range(1, 21))))
        for answers, words in (
            ([(401, {}, {"error": f"unknown key {KEY}"})], "refused the key: unknown key (key)"),
            ([(403, {}, {"error": "expected one for symbols"})], "for another use"),
            ([(404, {}, {}), (413, {}, {"error": "larger than 9 bytes"})], "shop is too large for the console"),
            ([(301, {"location": "http://127.0.0.1:1/"}, {})], "redirects to another address"),
            ([(404, {}, {}), (400, {}, {"error": "shop was stripped"})], "answered: shop was stripped"),
        ):
            for strict in ([], ["--strict"]):
                server = self.serve(*answers)
                output = self.run_script("--to", server.address, image, *strict, status=1 if strict else 0)
                self.assertIn(f"{'error' if strict else 'warning'}: upload-symbols: ", output)
                self.assertIn(words, output)
                self.assertEqual(len(server.requests), len(answers))

    def test_explains_why_there_are_no_symbols(self):
        server = self.serve()
        settings = {"ASTROLABE_CONSOLE": server.address, "DWARF_DSYM_FOLDER_PATH": str(self.folder)}
        output = self.run_script(DEBUG_INFORMATION_FORMAT="dwarf", **settings)
        self.assertIn("DEBUG_INFORMATION_FORMAT is dwarf. Set it to dwarf-with-dsym", output)
        self.assertIn("input files", self.run_script(DEBUG_INFORMATION_FORMAT="dwarf-with-dsym", **settings))
        self.assertIn("Expected .dSYM bundles", self.run_script("--to", server.address, self.folder))
        self.assertIn("no such file or folder", self.run_script("--to", server.address, "nothing"))
        text = self.file("text", b"text")
        self.assertIn("no build ID", self.run_script("--to", server.address, text))
        self.assertEqual(server.requests, [])

    def test_sends_the_key_to_no_other_machine_without_tls(self):
        image = self.file("shop", elf(bytes(range(1, 21))))
        self.assertIn("unencrypted", self.run_script("--to", "http://console.example.com", image))
        self.assertIn("expected an address", self.run_script("--to", f"https://user:{KEY}@example.com", image))
        self.assertIn("no console", self.run_script(image))
        self.assertIn("unrecognized arguments", self.run_script("--nonsense"))
        self.run_script("--nonsense", "--strict", status=1)

    def test_an_older_console_stores_symbols_alone(self):
        server = self.serve((405, {}, {}), (200, {}, {"symbols": []}), (404, {}, {}))
        image = self.file("shop", elf(bytes(range(1, 21))))
        output = self.run_script("--to", server.address, "--app-version", "1", image)
        self.assertNotIn("warning", output)
        self.assertNotIn("recorded", output)

    def test_reads_the_page_of_a_remote_without_its_credentials(self):
        script = module()
        for remote, page in (
            ("git@github.com:example/shop.git", "https://github.com/example/shop"),
            ("ssh://git@git.example.com:2222/example/shop.git", "https://git.example.com/example/shop"),
            ("https://x-token:secret@github.com/example/shop.git", "https://github.com/example/shop"),
            ("http://git.example.com:8080/shop/", "https://git.example.com:8080/shop"),
            ("/srv/git/shop.git", ""), ("", ""), ("file:///srv/shop", ""),
        ):
            self.assertEqual(script.page(remote), page, remote)


if __name__ == "__main__":
    unittest.main()
