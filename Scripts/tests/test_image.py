import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from tests import SCRIPTS

DOCKERFILE = SCRIPTS.parent / "Deploy/Dockerfile"


class ImageTests(unittest.TestCase):
    def health(self, answering, **variables):
        """The status of the image's health check, with a curl that reaches one address alone."""
        text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", "")
        command = re.search(r"^HEALTHCHECK CMD (.+)$", text, re.MULTILINE)[1]
        with tempfile.TemporaryDirectory() as folder:
            curl = pathlib.Path(folder) / "curl"
            curl.write_text(f'#!/bin/sh\ncase " $* " in *" {answering} "*) ;; *) exit 7 ;; esac\n', encoding="utf-8")
            curl.chmod(0o755)
            environment = {"PATH": f"{folder}:{os.environ['PATH']}", **variables}
            return subprocess.run(["/bin/sh", "-c", command], env=environment, check=False).returncode

    def test_the_health_check_asks_a_console_with_and_without_a_certificate_at_its_port(self):
        self.assertEqual(self.health("http://127.0.0.1:4318/healthz"), 0)
        self.assertEqual(self.health("https://127.0.0.1:4318/healthz"), 0)
        self.assertEqual(self.health("http://127.0.0.1:8080/healthz", ASTROLABE_CONSOLE_PORT="8080"), 0)
        self.assertEqual(self.health("http://127.0.0.1:9/healthz"), 1)

    def test_a_build_of_the_image_is_given_what_it_copies_and_nothing_else(self):
        copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)
        lines = (DOCKERFILE.parent / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        rules = [line for line in lines if not line.startswith("#")]
        self.assertEqual(rules, ["*", *(f"!{path}" for path in copied)])

    def test_the_user_is_a_number_so_that_kubernetes_knows_that_it_is_not_root(self):
        text = DOCKERFILE.read_text(encoding="utf-8")
        added = re.findall(r"useradd .*--uid ([1-9]\d*) ", text)
        self.assertEqual(re.findall(r"^USER (.+)$", text, re.MULTILINE), added)
