import unittest

from law import commands, guide_runs, pages, shell_blocks, table_names
from tests import SCRIPTS
from tests.tree import Tree

COMMAND = """struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "keys", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        @Option(help: "A (use).")
        var keyUse: String
        @Option(name: .customLong("service"), help: "A service.")
        var services: [String] = []
    }
}
"""
ROUTES = 'let table = [Route(.get, "/api/v1/boards/{board}"), Name("app.crash", "OTEL_SDK_DISABLED")]\n'
FRONT = "help() {\n    cat <<EOF\nDevelop\n  keys              make keys\nEOF\n}\n./astrolabe keys\n"
FILES = {
    "astrolabe": FRONT,
    "Tools/Console/Sources/AstrolabeCommands/KeysCommand.swift": COMMAND,
    "Tools/Console/Sources/Routes.swift": ROUTES,
    "Docs/README.md": "# Documentation\n\n[Page](Page.md)\n",
}


class GuideTests(unittest.TestCase):
    def messages(self, text, **others):
        files = {**FILES, "Docs/Page.md": text}
        files.update({name.replace("__", "/") + ".md": page for name, page in others.items()})
        with Tree(files) as tree:
            found = pages.load(tree.root)
            program = commands.load(tree.root)
            violations = [
                *pages.check(tree.root, found), *shell_blocks.check(tree.root, found, program),
                *table_names.check(tree.root, found),
                *commands.check(tree.root, found, guide_runs.shown(found))]
            return [str(violation) for violation in violations]

    def shell(self, *lines, before="", mark=""):
        return self.messages("# Page\n\n" + before + "\n\n" + mark + "```sh\n" + "\n".join(lines) + "\n```\n")

    def test_a_page_that_holds_passes(self):
        text = "# Page\n\n[Here](#a-b) and [there](README.md)\n\n## `A` b\n\n| name |\n|---|\n| `app.crash` |\n"
        self.assertEqual(self.messages(text), [])
        self.assertEqual(self.shell("./astrolabe keys create x --key-use view --service a", "cd x && git status"), [])

    def test_a_link_without_a_file_and_an_anchor_without_a_heading_fail(self):
        self.assertIn("Docs/Page.md:3: no file Docs/Gone.md", self.messages("# P\n\n[a](Gone.md)\n")[0])
        self.assertIn("no heading #gone in Docs/Page.md", self.messages("# P\n\n[a](#gone)\n")[0])

    def test_two_pages_of_one_name_and_a_page_outside_of_the_index_fail(self):
        found = self.messages("# Page\n", Docs__Guide__Page="# Other\n")
        self.assertEqual(len(found), 2)
        self.assertIn("has the file name of Docs/Guide/Page.md: Page.md", found[0])
        self.assertIn("Docs/Guide/Page.md:1: is in no table of Docs/README.md", found[1])

    def test_a_command_or_an_option_that_does_not_exist_fails_in_a_block_and_in_the_text(self):
        self.assertIn("astrolabe has no command kees", self.shell("./astrolabe kees")[0])
        self.assertIn("astrolabe keys has no command make", self.shell("astrolabe keys make x")[0])
        self.assertIn("astrolabe keys has no option --services", self.shell("astrolabe keys create x --services a")[0])
        self.assertIn("no option --use", self.messages("# P\n\nRun `astrolabe keys create x --use view`.\n")[0])
        self.assertIn("no script Scripts/gone", self.shell("Scripts/gone")[0])
        self.assertIn("an unknown command: brew", self.shell("brew install x")[0])

    def test_what_zsh_and_the_tools_of_bsd_read_otherwise_fails(self):
        for line in (
            "git status # a comment", "curl http://localhost:1/a?b=c", "sed -i s/a/b/ c", "date -d tomorrow",
            'printf "%s" "a!b"',
        ):
            self.assertTrue(self.shell(line), line)
        self.assertEqual(self.shell("curl 'http://localhost:1/a?b=c'"), [])

    def test_an_open_quotation_and_an_open_here_document_fail(self):
        self.assertIn("a quotation that does not end", self.shell("printf 'a")[0])
        self.assertIn("a here-document without its end END", self.shell("curl x <<END", "text")[0])

    def test_a_block_that_cannot_be_run_needs_a_mark(self):
        self.assertIn("cannot be run as it is", self.shell("curl https://console.example.com")[0])
        mark = "<!-- not run: needs a server -->\n"
        self.assertEqual(self.shell("curl https://console.example.com", mark=mark), [])

    def test_a_name_a_variable_and_a_route_that_no_source_has_fail(self):
        for name in ("`app.crsh`", "`OTEL_SDK_DISABLD`", "`unknownSetting`", "`GET /api/v1/bords/{board}`"):
            self.assertTrue(self.messages(f"# P\n\n| name |\n|---|\n| {name} |\n"), name)
        self.assertEqual(self.messages("# P\n\n| name |\n|---|\n| `GET /api/v1/boards/{id}` |\n"), [])

    def test_a_query_over_a_field_that_no_source_has_fails(self):
        page = "# P\n\n```query\nName where app.crsh = \"app.gone\"\n```\n"
        self.assertEqual(self.messages(page.replace("crsh", "crash").replace(" where ", " ")), [])
        self.assertIn("Docs/Page.md:4: a query names app.crsh", self.messages(page.replace(" where ", " "))[0])

    def test_a_command_that_no_workflow_runs_fails(self):
        front = FRONT.replace("./astrolabe keys\n", "")
        with Tree({**FILES, "astrolabe": front}) as tree:
            found = [str(each) for each in commands.check(tree.root, pages.load(tree.root), "")]
        self.assertEqual(len(found), 1)
        self.assertIn("astrolabe:4: names keys, which no workflow runs", found[0])

    def test_a_command_that_a_comment_or_a_title_names_is_not_run(self):
        front = FRONT.replace("./astrolabe keys\n", "")
        script = "Scripts/tool"
        for line, count in (
            ("run: ./astrolabe keys && Scripts/tool", 0), ("run: |\n  A=1 ./astrolabe keys create x | Scripts/tool", 0),
            ("run: sudo Scripts/tool $(./astrolabe keys)", 0), ("# run: ./astrolabe keys; Scripts/tool", 2),
            ("name: Make keys with ./astrolabe keys and Scripts/tool", 2),
            ("run: echo  # ./astrolabe check --guides; ./astrolabe keys", 2),
            ("run: echo ./astrolabe check --guides", 2),
        ):
            workflows = {".github/workflows/a.yml": f"- {line}\n".replace("- #", "#")}
            page = "# Page\n\n```sh\n./astrolabe keys\nScripts/tool\n```\n"
            with Tree({**FILES, **workflows, "astrolabe": front, "Docs/Guide/Page.md": page, script: ""}) as tree:
                (tree.root / script).chmod(0o755)
                found = pages.load(tree.root)
                messages = [str(each) for each in commands.check(tree.root, found, guide_runs.shown(found))]
            self.assertEqual(len(messages), count, (line, messages))

    def test_a_command_of_a_block_that_is_run_is_run_if_a_workflow_runs_the_guides(self):
        page = "# Page\n\n```sh\n./astrolabe keys create x\n```\n"
        front = FRONT.replace("./astrolabe keys\n", "")
        for workflow, mark, count in (("check --guides", "", 0), ("help", "", 1), ("check --guides", "not run: x", 1)):
            marked = page.replace("```sh", f"<!-- {mark} -->\n```sh") if mark else page
            workflows = {".github/workflows/a.yml": f"run: ./astrolabe {workflow}\n"}
            with Tree({**FILES, **workflows, "astrolabe": front, "Docs/Page.md": marked}) as tree:
                found = pages.load(tree.root)
                self.assertEqual(len(list(commands.check(tree.root, found, guide_runs.shown(found)))), count, workflow)

    def test_the_repository_has_commands(self):
        self.assertGreater(len(commands.load(SCRIPTS.parent).names), 25)
