import contextlib
import io
import os
import shutil
import socket
import unittest
from unittest import mock

from law import guide_runs, pages
from tests.tree import Tree

# Says what it was asked; as a console it stays until it is ended, unless it has the option --short.
PROGRAM = """#!/bin/sh
echo "asked $*"
case "$*" in
console) echo "Press Ctrl-C"; trap "touch ended; exit 0" TERM; while :; do sleep 0.05; done ;;
"console --short") echo "Press Ctrl-C" ;;
"console --late") until [ -f asked ]; do :; done; echo "Press Ctrl-C"; echo $$ >late ;;
fail) exit 3 ;;
esac
"""

# Finds nothing the first time, and ends when the console has said that it is ready, and has ended.
LATE_GREP = f"""#!/bin/sh
[ ! -f asked ] || exec {shutil.which("grep")} "$@"
touch asked
until [ -s late ]; do :; done
while kill -0 "$(cat late)" 2>/dev/null; do :; done
exit 1
"""


class GuideRunTests(unittest.TestCase):
    def run_page(self, *blocks, programs={}):
        """What running a page of these blocks finds and prints; each block is preceded by its mark."""
        programs = {"astrolabe": PROGRAM, **programs}
        text = "# Page\n" + "".join(f"\n<!-- {mark} -->\n```{kind}\n{code}\n```\n" for mark, kind, code in blocks)
        with Tree({"Docs/Page.md": text, "kept": "", **programs}) as tree:
            for program in programs:
                (tree.root / program).chmod(0o755)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                found = [str(each) for each in guide_runs.run(tree.root, pages.load(tree.root))]
        return found, printed.getvalue()

    def test_the_blocks_of_a_page_run_in_order_in_one_shell_and_one_folder(self):
        found, printed = self.run_page(
            ("", "sh", "word=one\nmkdir made && cd made\nastrolabe a >file"),
            ("", "sh", "test -f file && test $word = one &&\n    test -f ../kept"),
            ("", "sh", "for each in 1 2; do\n    cat file\ndone"))
        self.assertEqual(found, [])
        self.assertIn("passed  Docs/Page.md, 3 blocks", printed)

    def test_a_command_that_fails_is_named_with_its_line_and_what_it_printed(self):
        for command in ("./astrolabe fail", "./astrolabe fail && true", "test 1 = 1 && ./astrolabe fail"):
            found, printed = self.run_page(("", "sh", f"./astrolabe well\n{command}\n./astrolabe after"))
            self.assertEqual(found, ["Docs/Page.md:6: failed with status 3:\n    asked fail"], command)
            self.assertIn("failed  Docs/Page.md", printed)

    def test_a_console_stays_until_the_page_ends_and_one_that_ends_before_fails(self):
        self.assertEqual(self.run_page(("", "sh", "./astrolabe console"), ("", "sh", "test ! -f ended"))[0], [])
        found, _ = self.run_page(("", "sh", "./astrolabe console --short\nwait"))
        self.assertIn("Docs/Page.md:6: a command before it ended by itself", found[0])

    def test_a_console_that_is_ready_and_ends_while_nobody_looks_has_been_ready(self):
        found, _ = self.run_page(("", "sh", "./astrolabe console --late"), programs={"grep": LATE_GREP})
        self.assertIn("Docs/Page.md:5: a command before it ended by itself", found[0])

    def test_a_page_that_names_a_port_at_which_another_program_listens_is_not_run(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            commands = f"false localhost:{port}\nfalse 127.0.0.1:{port}/v1"
            marked = (f"run first: false --grpc-port {port}", "sh", commands)
            self.assertEqual(self.run_page(marked)[0], ["Docs/Page.md:3: failed with status 1:\n    "])
            other.listen()
            found, _ = self.run_page(marked)
        message = f"another program listens at port {port}; end it first"
        self.assertEqual(found, [f"Docs/Page.md:{line}: {message}" for line in (3, 5, 6)])

    def test_a_page_has_what_the_user_has_set_pip_and_git_and_the_installation_to(self):
        names = (".config/pip/pip.conf", ".gitconfig", ".netrc", ".cache/clone")
        with Tree({name: name for name in names}) as home:
            settings = {"HOME": str(home.root), "ASTROLABE_INSTALL": "never", "ASTROLABE_CONSOLE_PORT": "1"}
            with mock.patch.dict(os.environ, settings):
                command = 'test "$ASTROLABE_INSTALL ${ASTROLABE_CONSOLE_PORT-none}" = "never none" && cd ~ && cat '
                found, _ = self.run_page(("", "sh", command + " ".join(names)))
                self.assertEqual(found, [])
            (home.root / ".netrc").unlink()
            with mock.patch.dict(os.environ, settings):
                self.assertEqual(self.run_page(("", "sh", "test ! -e ~/.netrc"))[0], [])

    def test_what_a_mark_says_is_run_first_or_not_run_and_a_file_is_written(self):
        found, printed = self.run_page(
            ("file: some/note.txt", "text", "a note"),
            ("run first: echo 1 >a; echo 2 >>a", "sh", "test $(cat a | wc -l) = 2"),
            ("", "sh", "grep -q note some/note.txt"), ("not run: needs a key", "sh", "false"))
        self.assertEqual(found, [])
        self.assertIn("Not run: Docs/Page.md:19: needs a key", printed)

    def test_the_output_that_a_page_shows_has_the_form_of_what_is_printed(self):
        code = "echo built; echo ab12cd34 since 2026-11-28 5310 ms; echo done"
        shown = "1f0c2a77  since 2025-01-01  14.5 ms\ndone"
        self.assertEqual(self.run_page(("", "sh", code), ("printed", "", shown))[0], [])
        found, _ = self.run_page(("", "sh", code), ("printed", "", "done\n1f0c2a77 until 2025-01-01 14 ms"))
        self.assertEqual(len(found), 1)
        self.assertIn("Docs/Page.md:11: the block above prints no line of this form: 1f0c2a77 until", found[0])

    def test_pages_without_a_block_to_run_fail(self):
        self.assertEqual(self.run_page(("not run: x", "sh", "true"))[0], ["Docs:1: no block of shell was run"])
