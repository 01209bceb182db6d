import unittest

from law import app_versions
from tests import SCRIPTS, program
from tests.tree import Tree

ROOT = SCRIPTS.parent
HEAD = "import SwiftUI\nstruct V: View {\n    var body: some View {\n        "

# What only the types of arguments, or of the value before a dot, tell from an older form.
TOLD_BY_TYPES = {
    "ButtonBorderShape.circle",
    "Scene.onChange",
    "ShapeStyle.fill",
    "ShapeStyle.placeholder",
    "ShapeStyle.quaternary",
    "ShapeStyle.secondary",
    "ShapeStyle.tertiary",
    "TabView.init",
}


def use(item):
    """Returns a use of a declaration of the stand-in."""
    label = app_versions.told_apart(item, app_versions.declarations(ROOT)) or ""
    arguments = {"": "", "_": "(a)"}.get(label, f"({label}: a)")
    if item.name == "init":
        return item.owner + arguments
    if item.is_static:
        return f"{item.owner}.{item.name}{arguments}"
    return item.name if item.is_type else f"Text(a).{item.name}{arguments}"


class AppVersionTests(unittest.TestCase):
    def check(self, text, ios="16.0"):
        with Tree({"App.swift": text}) as tree:
            return [f"{item.line}: {item.message}" for item in app_versions.check(ROOT, ios, [tree.root])]

    def test_the_names_are_those_that_the_stand_in_marks_and_those_of_apple_s_other_modules(self):
        names = app_versions.names_of_stand_in(ROOT)
        for name in ["ContentUnavailableView", "View.sensoryFeedback", "Bindable"]:
            self.assertIn(name, names)
        for text in ["@Observable final class Model {}\n", "let model = Bindable(object)\n"]:
            self.assertEqual(len(self.check(text)), 1, text)

    def test_everything_that_the_stand_in_marks_is_reported(self):
        files = (ROOT / app_versions.STAND_IN).rglob("*.swift")
        marks = sum(file.read_text(encoding="utf-8").count("@available(iOS ") for file in files)
        known = app_versions.declarations(ROOT)
        self.assertGreaterEqual(len([item for item in known if item.since]), marks)
        silent = set()
        for item in known:
            # What a newer type has cannot be reached without that type.
            if item.since <= (16,) or item.is_with_owner:
                continue
            if not self.check(HEAD + use(item) + "\n    }\n}\n"):
                silent.add(f"{item.owner}.{item.name}")
        self.assertEqual(silent, TOLD_BY_TYPES)

    def test_a_newer_form_of_an_older_name_is_found_by_its_label(self):
        for text, version in [
            (".searchable(text: $text, isPresented: $isOn)", "17"),
            (".searchScopes($scope, activation: .onTextEntry) { Text(a) }", "16.4"),
            (".toolbar(removing: .sidebarToggle)", "17"),
            (".buttonStyle(.glass)", "26"),
            (".symbolEffect(.wiggle)", "18"),
            (".symbolEffect(.bounce, value: count)", "17"),
            (".contentTransition(.symbolEffect(.replace))", "17"),
            (".contentTransition(.numericText(value: count))", "17"),
            (".animation(.spring(.bouncy), value: count)", "17"),
            (".foregroundStyle(isOn ? .link : .primary)", "17"),
        ]:
            found = self.check(HEAD + f"Text(a){text}\n}}\n}}\n")
            self.assertTrue(any(f"needs iOS {version}," in line for line in found), (text, found))
        split = "NavigationSplitView(preferredCompactColumn: $column) { Text(a) } detail: { Text(b) }"
        picker = "Picker(a, selection: $b) { Text(c) } currentValueLabel: { Text(d) }"
        for text in [split, picker]:
            self.assertEqual(len(self.check(HEAD + text + "\n}\n}\n")), 1, text)

    def test_an_older_form_is_not_found(self):
        for text in [
            ".searchable(text: $text)",
            ".searchScopes($scope) { Text(a) }",
            ".toolbar { Text(a) }",
            ".contentTransition(.numericText())",
            ".animation(.spring(response: 1), value: count)",
            ".foregroundStyle(Color(.link))",
            ".buttonStyle(.bordered)",
            ".tag(Way.wiggle)",
        ]:
            self.assertEqual(self.check(HEAD + f"Text(a){text}\n}}\n}}\n"), [], text)
        self.assertEqual(self.check("enum Way { case walk, wiggle }\n" + HEAD + "Text(a).tag(.wiggle)\n}\n}\n"), [])

    def test_a_newer_view_or_modifier_is_found_at_its_line(self):
        self.assertEqual(
            self.check(HEAD + 'Text("a").sensoryFeedback(.success, trigger: x)\n    }\n}\n'),
            ["4: View.sensoryFeedback needs iOS 17, and the package supports iOS 16"],
        )
        self.assertEqual(
            self.check(HEAD + 'TabView { Tab("a", systemImage: "b") { Text("c") } }\n    }\n}\n', "17.0"),
            ["4: Tab needs iOS 18, and the package supports iOS 17"],
        )
        self.assertEqual(
            self.check(HEAD + 'Text("a").scrollBounceBehavior(.basedOnSize)\n    }\n}\n'),
            ["4: View.scrollBounceBehavior needs iOS 16.4, and the package supports iOS 16"],
        )

    def test_on_change_is_newer_with_two_values_or_none(self):
        newer = ["{ old, new in print(new) }", "{ _, new in print(new) }", "{ [weak self] old, new in }"]
        for closure in newer + ['{ print("changed") }']:
            self.assertEqual(len(self.check(HEAD + f"Text(a).onChange(of: f(x)) {closure}\n}}\n}}\n")), 1, closure)
        older = ["{ new in print(new) }", "{ [model] new in print(new) }", "{ @MainActor new in print(new) }"]
        for closure in older + ["{ print($0) }", "{ if on { last = $0 } }", "{ guard on else { return }; f($0) }"]:
            self.assertEqual(self.check(HEAD + f"Text(a).onChange(of: f(x)) {closure}\n}}\n}}\n"), [], closure)

    def test_a_modifier_with_an_older_form_is_left_to_xcode(self):
        for use in [".onChange(of: x, perform: f)", ".navigationDestination(for: Int.self) { Text($0) }"]:
            self.assertEqual(self.check(HEAD + f"Text(a){use}\n}}\n}}\n"), [], use)

    def test_what_a_check_of_the_version_ensures_is_allowed(self):
        view = 'ContentUnavailableView("a", systemImage: "b")'
        self.assertEqual(self.check(HEAD + f'if #available(iOS 17, *) {{ {view} }} else {{ Text("a") }}\n}}\n}}\n'), [])
        whole = f"struct W: View {{ var body: some View {{ {view} }} }}\n"
        self.assertEqual(self.check("@available(iOS 17, *)\n" + whole), [])
        self.assertEqual(len(self.check(whole)), 1)
        self.assertEqual(self.check(whole, "17.0"), [])

    def test_comments_strings_and_the_app_s_own_names_are_left_out(self):
        self.assertEqual(self.check('// Tab\nlet text = "Observable"\n'), [])
        self.assertEqual(self.check("enum Tab { case home }\nlet tab = Tab.home\n"), [])

    def test_the_program_prints_errors_of_a_compiler(self):
        with Tree({"App.swift": "@Observable final class Model {}\n"}) as tree:
            result = program.run("app-versions", "--ios", "16.0", str(tree.root))
        self.assertEqual(result.returncode, 1)
        self.assertIn("App.swift:1: error: Observable needs iOS 17, and the package supports iOS 16", result.stderr)
