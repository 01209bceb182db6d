import unittest

from law import pictures
from law.style import files
from tests import SCRIPTS
from tests.tree import Tree

SHOP = "Shop/Sources/Shop"
PACKAGE = {"Shop/Package.swift": ""}


class PictureTests(unittest.TestCase):
    def check(self, tree):
        with Tree(tree) as repository:
            return sorted(str(found) for found in pictures.check(repository.root))

    def test_a_picture_that_a_page_shows_is_let_through(self):
        page = "# A\n\n![The phone](Pictures/phone.png)\n\n![A crash](../Docs/Pictures/crash.jpg \"At 5:07\")\n"
        start = '<img src="Docs/icon.svg" width="64">\n![Web](https://a.example/b.png)\n'
        shown = dict.fromkeys(("Docs/Pictures/phone.png", "Docs/Pictures/crash.jpg", "Docs/icon.svg"), "")
        self.assertEqual(self.check({"Docs/A.md": page, "README.md": start, **shown}), [])

    def test_a_picture_that_no_page_shows_is_refused(self):
        page = "`Pictures/phone.png` and [a link](Pictures/phone.png)\n"
        self.assertEqual(
            self.check({"Docs/A.md": page, "Docs/Pictures/phone.png": ""}),
            ["Docs/Pictures/phone.png:1: no page shows this picture; delete it"])

    def test_a_picture_that_code_or_a_comment_of_a_page_names_is_refused(self):
        refused = "a.png:1: no page shows this picture; delete it"
        for page in (
            "```md\n![A](a.png)\n```\n", "~~~\n```\n![A](a.png)\n", "<!--\n![A](a.png)\n-->\n", "`![A](a.png)`\n"
        ):
            self.assertEqual(self.check({"A.md": page, "a.png": ""}), [refused], page)
        after = "```\na\n```\n<!-- a -->\n![A](b.png)\n"
        self.assertIn("A.md:5: the page shows b.png", self.check({"A.md": after})[0])

    def test_a_page_shows_a_picture_in_any_form(self):
        for page in (
            "![A][the picture]\n\n[The picture]: a.png\n",
            "![A]\n\n[A]: <a.png> 'A'\n",
            "![A][]\n\n[A]: a.png\n",
            "<img alt='A' src='a.png'>\n",
            "![A](<a.png>)\n",
            "![A [1]](a.png)\n",
        ):
            self.assertEqual(self.check({"A.md": page, "a.png": ""}), [], page)
            missing = self.check({"A.md": page})
            self.assertEqual(missing, ["A.md:1: the page shows a.png, which is no picture of the repository"], page)

    def test_a_page_shows_only_pictures_that_are_there(self):
        message = "Docs/A.md:3: the page shows Docs/phone.png, which is no picture of the repository"
        self.assertEqual(self.check({"Docs/A.md": "# A\n\n![The phone](phone.png)\n"}), [message])

    def test_a_picture_is_smaller_than_200_kilobytes(self):
        page = {"A.md": "![A](a.png)\n"}
        self.assertEqual(self.check({**page, "a.png": "x" * 199_999}), [])
        self.assertEqual(
            self.check({**page, "a.png": "x" * 200_000}),
            ["a.png:1: 200000 bytes, expected less than 200000; reduce its colours, as pngquant does"])
        shop = {f"{SHOP}/Pictures/moon.svg": "x" * 200_000, f"{SHOP}/A.swift": 'let a = "moon.svg"\n'}
        self.assertEqual(len(self.check({**PACKAGE, **shop})), 1)
        for suffix in "avif bmp gif heic icns ico jpeg jpg MOV mp4 pdf png svg tif tiff webm webp".split():
            self.assertEqual(len(self.check({f"a.{suffix}": "x" * 200_000})), 2, suffix)

    def test_pages_show_at_most_20_pictures(self):
        def show(count):
            names = [f"{number:02}.png" for number in range(count)]
            return {"A.md": "".join(f"![{name}]({name})\n" for name in names), **dict.fromkeys(names, "")}

        self.assertEqual(self.check(show(20)), [])
        taken = "'./astrolabe docs --pictures' takes all others"
        self.assertEqual(self.check(show(21)), [f"20.png:1: picture 21 of the pages, over 20; {taken}"])

    def test_a_programs_picture_is_named_in_a_source(self):
        refused = "no source names this picture; delete it"
        drawing = {**PACKAGE, f"{SHOP}/Pictures/moon.svg": "", f"{SHOP}/Pictures/moon.jpg": ""}
        self.assertEqual(self.check({**drawing, f"{SHOP}/A.swift": 'let a = "moon.jpg"\n'}), [])
        self.assertEqual(
            self.check({**drawing, f"{SHOP}/A.swift": 'let a = "moon"\n'}),
            [f"{SHOP}/Pictures/moon.jpg:1: {refused}", f"{SHOP}/Pictures/moon.svg:1: {refused}"])
        icon = {"App/Assets.xcassets/AppIcon.appiconset/icon.png": ""}
        contents = {"App/Assets.xcassets/AppIcon.appiconset/Contents.json": '{"images": [{"filename": "icon.png"}]}'}
        self.assertEqual(len(self.check(icon)), 1)
        self.assertEqual(self.check({**icon, **contents}), [])
        for place in ("Docs/Sources/A/moon.svg", "Shop/Sources/moon.svg", "Shop/Docs/Sources/A/moon.svg"):
            page = self.check({**PACKAGE, place: "", "A.swift": 'let a = "moon.svg"\n'})
            self.assertEqual(page, [f"{place}:1: no page shows this picture; delete it"])

    def test_the_pictures_of_this_repository_are_found(self):
        self.assertGreater(len(pictures.find(files(SCRIPTS.parent))), 10)
