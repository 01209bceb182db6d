import unittest

from law import prose
from tests import program
from tests.tree import Tree

WORDS = prose.read_words("# Words.\nin vain  ->  without success\n(?:is|was) told  ->  receives\n")
LONG = "Words " + "and words " * 15 + "end."  # 32 words
SHORT = "Words " + "and words " * 14 + "end."


class ProseTests(unittest.TestCase):
    def find(self, text, path="Docs/A.md"):
        with Tree({path: text}) as tree:
            found = prose.findings(tree.root, WORDS)[path]
        return [(finding.line, "long" if finding.is_long else finding.message.split("'")[1]) for finding in found]

    def test_a_long_sentence_is_found_where_it_begins(self):
        self.assertEqual(self.find(f"# Title\n\n{SHORT} {SHORT}\n\n- One.\n- {LONG}\n"), [(6, "long")])
        wrapped = LONG.replace("words and", "words\nand", 1)
        self.assertEqual(self.find(f"{SHORT}\n{wrapped}\n"), [(2, "long")])

    def test_an_item_a_cell_and_a_heading_end_a_sentence(self):
        half = "words " * 20
        self.assertEqual(self.find(f"# {half}\n{half}\n- {half}\n1. {half}\n\n| {half} | {half} |\n|---|---|\n"), [])
        self.assertEqual(self.find(f"- {half}\n  {half}\n"), [(1, "long")])

    def test_code_links_and_comments_are_no_prose(self):
        code = "words " * 40
        for text in (
            f"```\n{code}in vain\n```\n",
            f"Text:\n\n    {code}in vain\n",
            f"Call `{code}in vain` once.\n",
            f"<!-- {code}in vain -->\n",
            f"See https://example.org/{'a/' * 40}in%20vain now.\n",
            f"See [the page](https://example.org/{'a-' * 40}).\n",
        ):
            self.assertEqual(self.find(text), [], text)

    def test_a_word_that_we_do_not_use_is_found(self):
        self.assertEqual(self.find("It waits.\nIt waits In\nvain and is told.\n"), [(2, "In vain"), (3, "is told")])
        self.assertEqual(self.find("A vain lion in vainglory.\n"), [])

    def test_doc_comments_and_texts_of_swift_are_prose(self):
        path = "Sources/A/A.swift"
        text = 'let a = "It \\(waits(for: "x")) for you in vain"'
        swift = f"/// Waits in vain.\n///\n///     in vain\n// in vain\n{text}\n"
        self.assertEqual(self.find(swift, path), [(1, "in vain"), (5, "in vain")])
        self.assertEqual(self.find(swift, "Kit/Tests/ATests/A.swift"), [(1, "in vain")])
        names = 'let b = "in vain"\nlet c = "SELECT a FROM it WHERE it is told"\nlet d = "<p>it is told in vain</p>"\n'
        self.assertEqual(self.find(names, path), [])
        self.assertEqual(self.find(f'let e = """\n    {LONG}\n\n    {SHORT}\n    """\n', path), [(2, "long")])
        self.assertEqual(self.find(f"/// {SHORT}\n/// {LONG}\nlet f = 1\n", path), [(2, "long")])

    def test_texts_of_javascript_are_prose(self):
        script = "// in vain\nshow(`It waits ${time(1)} in vain`, 'in-vain', \"it was told once\");\n"
        self.assertEqual(self.find(script, "Assets/a.js"), [(2, "in vain"), (2, "was told")])

    def test_a_file_may_have_what_the_baseline_allows_and_no_more(self):
        with Tree({"A.md": f"{LONG}\n\nIt is told.\n\nIn vain.\n", "B.md": "Short.\n"}) as tree:
            found = prose.findings(tree.root, WORDS)
        self.assertEqual(prose.check(found, {"A.md": (1, 2)}), [])
        self.assertEqual(prose.check(found, {"A.md": (5, 5), "Gone.md": (1, 1)}), [])
        violations = [str(violation) for violation in prose.check(found, {"A.md": (1, 1)})]
        self.assertEqual(len(violations), 2)
        allowed = "write receives (2 words that we do not use in this file, 1 allowed)"
        self.assertEqual(violations[0], f"A.md:3: 'is told' is a word that we do not use; {allowed}")
        self.assertEqual(len(prose.check(found, {})), 3)

    def test_the_baseline_only_falls(self):
        old = {"A.md": (3, 3), "B.md": (1, 1), "Gone.md": (2, 2)}
        new = {"A.md": (5, 1), "B.md": (0, 0), "New.md": (4, 4)}
        text = prose.write_baseline(prose.lower(old, new))
        self.assertEqual(prose.read_baseline(text), {"A.md": (3, 1)})

    def test_the_script_updates_the_baseline_and_checks_against_it(self):
        def run(tree, *arguments):
            result = program.run("check-prose", "--root", tree.root, *arguments)
            return result.returncode, result.stderr

        with Tree({"A b.md": "It is told.\n", prose.WORDS: "is told  ->  receives\n"}) as tree:
            self.assertEqual(run(tree)[0], 1)
            self.assertEqual(run(tree, "--update"), (0, ""))
            self.assertTrue((tree.root / prose.BASELINE).read_text(encoding="utf-8").endswith("\n0 1 A b.md\n"))
            self.assertEqual(run(tree), (0, ""))
            (tree.root / "A b.md").write_text("It is told.\n\nShe is told.\n", encoding="utf-8")
            self.assertEqual(run(tree, "--update"), (0, ""))
            self.assertEqual(run(tree)[0], 1)
            self.assertEqual(run(tree, "--list", "A")[1].count("\n"), 2)
            (tree.root / "A b.md").write_text("It receives.\n", encoding="utf-8")
            self.assertEqual(run(tree, "--update"), (0, ""))
            self.assertNotIn("A b.md", (tree.root / prose.BASELINE).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
