import unittest

from law import swift_source


class SwiftSourceTests(unittest.TestCase):
    def code(self, text: str) -> str:
        return swift_source.read(text).code

    def test_strings_are_blanked_and_lines_keep_their_numbers(self):
        self.assertEqual(self.code('let a = "fatalError()"; b()'), "let a =               ; b()")
        self.assertEqual(self.code('let a = """\nimport X\n"""\nimport Y').split("\n")[3], "import Y")
        self.assertNotIn("import X", self.code('let a = """\nimport X\n"""\nimport Y'))

    def test_a_quote_that_is_escaped_or_raw_does_not_end_a_string(self):
        self.assertEqual(self.code(r'f("a\"b", try!x)').strip(), r"f(      , try!x)")
        self.assertEqual(self.code('f(#"a"b\\"#, g)').strip(), "f(        , g)")

    def test_a_string_within_an_interpolation_ends_where_it_ends(self):
        self.assertEqual(self.code(r'f("a\(g("x)y", [")"]))b", h)').strip().replace(" ", ""), "f(,h)")

    def test_comments_are_blanked_and_kept_by_line(self):
        source = swift_source.read("let a = 1  // why\n/* b /* c */\nd */ let e = 2")
        self.assertEqual(source.code.split("\n")[2].strip(), "let e = 2")
        self.assertEqual(source.comments, {1: "// why", 2: "/* b /* c */", 3: "d */"})

    def test_a_comment_sign_in_a_string_starts_no_comment(self):
        source = swift_source.read('let url = "https://example.org"; import X')
        self.assertEqual(source.comments, {})
        self.assertTrue(source.code.endswith("; import X"))

    def test_a_quote_in_a_regex_literal_starts_no_string(self):
        self.assertTrue(self.code('let a = /"[^"]/; b()').endswith("; b()"))
        self.assertTrue(self.code('let a = #/"/#; b()').endswith("; b()"))

    def test_a_division_is_no_regex_literal(self):
        self.assertEqual(self.code("let a = b / c / d"), "let a = b / c / d")
        self.assertEqual(self.code("let a = b/c/d"), "let a = b/c/d")


if __name__ == "__main__":
    unittest.main()
