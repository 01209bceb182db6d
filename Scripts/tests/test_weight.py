import contextlib
import io
import unittest

from consumer import fresh, weight
from consumer.report import Report
from tests import SCRIPTS

BEFORE = weight.Sizes("Swift 6.3, x86_64", {"Astrolabe": 1_000_000})


class WeightTests(unittest.TestCase):
    def compare(self, measured, recorded=BEFORE):
        """The number of failures, and what was printed."""
        report, output = Report(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            weight.compare(recorded, measured, report)
        return report.failures, output.getvalue()

    def test_a_product_that_grows_by_more_than_two_percent_fails(self):
        grown = weight.Sizes(BEFORE.toolchain, {"Astrolabe": 1_020_001})
        failures, output = self.compare(grown)
        self.assertEqual(failures, 1)
        self.assertIn("expected at most 1,020,000 bytes, 2 % or a page more than in Scripts/consumer/sizes.txt", output)

    def test_a_product_within_two_percent_or_smaller_passes(self):
        for size in (1_020_000, 900_000):
            self.assertEqual(self.compare(weight.Sizes(BEFORE.toolchain, {"Astrolabe": size}))[0], 0)

    def test_a_small_product_may_grow_by_a_page(self):
        recorded = weight.Sizes(BEFORE.toolchain, {"AstrolabeLinux": 60_000})
        for size, failures in ((64_096, 0), (64_097, 1)):
            grown = weight.Sizes(BEFORE.toolchain, {"AstrolabeLinux": size})
            self.assertEqual(self.compare(grown, recorded)[0], failures)

    def test_a_product_without_a_recorded_size_fails(self):
        failures, output = self.compare(weight.Sizes(BEFORE.toolchain, {"AstrolabeHTTP": 1}))
        self.assertEqual(failures, 1)
        self.assertIn("expected a size in Scripts/consumer/sizes.txt. Run Scripts/consumer-test", output)

    def test_sizes_of_another_compiler_are_printed_and_not_compared(self):
        failures, output = self.compare(weight.Sizes("Swift 6.4, x86_64", {"Astrolabe": 9_000_000}))
        self.assertEqual(failures, 0)
        self.assertIn("recorded with Swift 6.3, x86_64", output)
        self.assertIn("9.00 MB", output)

    def test_the_file_of_sizes_is_read_as_it_is_written(self):
        self.assertEqual(weight.read(weight.text(BEFORE)), BEFORE)
        self.assertEqual(weight.read("toolchain x\nAstrolabe soon\n"), weight.Sizes("x", {}))

    def test_the_file_of_sizes_has_each_measured_product(self):
        text = (SCRIPTS.parent / weight.SIZES).read_text(encoding="utf-8")
        self.assertTrue(text.startswith(weight.HEAD))
        listed = [line.split()[0] for line in text[len(weight.HEAD) :].splitlines()]
        self.assertEqual(listed, ["toolchain", *fresh.PROGRAMS])

    def test_each_program_uses_its_product(self):
        for product, (name, _) in fresh.PROGRAMS.items():
            self.assertIn(f"import {product}\n", fresh.SOURCES[name])
            dependency = f'.product(name: "{product}", package: "astrolabe")'
            self.assertIn(dependency, fresh.manifest("", targets=fresh.OTHERS))

    def test_a_symbol_counts_for_the_module_that_it_names(self):
        symbols = """
0000000000001000 0000000000000010 t $s16AstrolabeJournal06RecordB0C5claimyyF
0000000000001010 0000000000000020 t $sSD17dictionaryLiteralSDyxq_GTg5_16AstrolabeJournal5RunIDV
0000000000001030 0000000000000004 t $sSa6appendyyxFSi_Tg5
0000000000001034 0000000000000008 T crc32c
                 U malloc
"""
        self.assertEqual(
            list(weight.modules(symbols)),
            [("AstrolabeJournal", 48), ("C, and what the linker adds", 8), ("generic code of the standard library", 4)],
        )


if __name__ == "__main__":
    unittest.main()
