"""Opens pages of a running console in Firefox, which speaks WebDriver BiDi.

    firefox.py CONSOLE (PATH SELECTOR)...

ASTROLABE_FIREFOX is the path of Firefox. A page is there with one heading of the first level and an element of its
selector. Prints a line for each error of a page: what its scripts log and throw, what its policy forbids, and responses
that report a failure.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from typing import List

import websocket

_SECONDS = 60
_EVENTS = ["log.entryAdded", "network.responseCompleted"]

# What is missing, or nothing, a frame after all was there.
_LOOK = """async (selector, seconds) => {
  const end = performance.now() + seconds * 1000;
  const frame = () => new Promise(requestAnimationFrame);
  const missing = () => {
    const headings = document.querySelectorAll('main h1').length;
    if (headings !== 1) return `${headings} headings of the first level`;
    return document.querySelector(selector) ? '' : `no ${selector}`;
  };
  while (missing() && performance.now() < end) await frame();
  await frame();
  return missing();
}"""


class Firefox:
    """A Firefox without a window, and the errors since they were read last."""

    def __init__(self, process: subprocess.Popen, address: str):
        self._process = process
        self._socket = websocket.create_connection(f"{address}/session", timeout=2 * _SECONDS, suppress_origin=True)
        self._count = 0
        self._errors: List[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=_EVENTS)
        self._context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **parameters) -> dict:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") != self._count:
                self._note(message)
            elif message["type"] == "error":
                raise SystemExit(f"firefox.py: {method}: {message['message']}")
            else:
                return message["result"]

    def _note(self, event: dict) -> None:
        what = event["params"]
        if event["method"] == "log.entryAdded" and what["level"] in ("error", "warn"):
            self._errors.append(what["text"])
        elif event["method"] == "network.responseCompleted" and what["response"]["status"] >= 400:
            self._errors.append(f"{what['response']['status']} {what['request']['url']}")

    def open(self, address: str, selector: str) -> List[str]:
        """The errors of a page."""
        self.call("browsingContext.navigate", context=self._context, url=address, wait="complete")
        arguments = [{"type": "string", "value": selector}, {"type": "number", "value": _SECONDS}]
        answer = self.call(
            "script.callFunction", functionDeclaration=_LOOK, arguments=arguments,
            target={"context": self._context}, awaitPromise=True)
        # An exception has no result.
        missing = answer["result"]["value"] if answer["type"] == "success" else answer["exceptionDetails"]["text"]
        errors, self._errors = self._errors + ([missing] if missing else []), []
        return errors

    def close(self) -> None:
        self.call("browser.close")
        self._process.wait(timeout=_SECONDS)


def _address(process: subprocess.Popen) -> str:
    for line in process.stderr:
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
        if found:
            # A full pipe would stop it.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return found.group(1)
    raise SystemExit("firefox.py: Firefox has ended before it listened")


def main() -> None:
    if len(sys.argv) < 4 or len(sys.argv) % 2:
        raise SystemExit("firefox.py: expected the address of a console, and a path and a selector of each page")
    console, pages = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # A folder of its own: Firefox as root refuses that of another user.
        environment = {**os.environ, "HOME": profile}
        arguments = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile, "about:blank"]
        process = subprocess.Popen(
            [os.environ["ASTROLABE_FIREFOX"], *arguments], env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        try:
            firefox = Firefox(process, _address(process))
            for path, selector in zip(pages[::2], pages[1::2]):
                for error in firefox.open(console + path, selector):
                    print(f"{path}: {error}")
            firefox.close()
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
