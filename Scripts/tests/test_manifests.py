import copy
import unittest

from law import conditions, manifests
from tests import program
from tests.test_modules import product, target
from tests.tree import Tree


def package(name, systems, products, targets, dependencies=()):
    return {
        "name": name,
        "platforms": [{"platformName": system, "version": version} for system, version in systems.items()],
        "products": products,
        "targets": targets,
        "dependencies": [{"fileSystem": [{"identity": identity}]} for identity in dependencies],
    }


OURS = {
    ".": package("kit", {"ios": "16.0", "macos": "13.0"}, [product("Kit", "Kit")], [target("Kit")]),
    "Console": package(
        "console",
        {"macos": "15.0"},
        [product("console", "Console")],
        [target("Model"), target("Console", "Model", products=[("kit", "Kit"), ("swift-log", "Logging")])],
        ["kit", "swift-log"],
    ),
}
OTHERS = {"swift-log": package("swift-log", {"macos": "15.0"}, [product("Logging", "Logging")], [])}
TEXTS = {"Package.swift": "", "Console/Package.swift": '\n"Model"\n"Kit"\n"kit"\n"console"\n"swift-log"\n'}


class ManifestTests(unittest.TestCase):
    def check(self, change=lambda ours: None, others=OTHERS, workspace=tuple(OURS)):
        ours = copy.deepcopy(OURS)
        change(ours)
        with Tree(TEXTS) as tree:
            return [str(violation) for violation in manifests.check(tree.root, ours, others, workspace)]

    def test_a_repository_whose_packages_fit_passes(self):
        self.assertEqual(self.check(), [])

    def test_a_product_that_a_mac_lacks_is_found_where_it_is_named(self):
        def lose(ours):
            ours["."]["products"].clear()

        refused = "Console/Package.swift:3: on a Mac kit has no product Kit, which Console depends on"
        self.assertEqual(self.check(lose), [refused])
        others = {"swift-log": {**OTHERS["swift-log"], "products": []}}
        refused = "Console/Package.swift:1: on a Mac swift-log has no product Logging, which Console depends on"
        self.assertEqual(self.check(others=others), [refused])

    def test_a_target_that_a_mac_lacks_is_found(self):
        def lose(ours):
            ours["Console"]["targets"] = ours["Console"]["targets"][1:]

        refused = "Console/Package.swift:2: on a Mac there is no target Model, which Console depends on"
        self.assertEqual(self.check(lose), [refused])

        def lose_listed(ours):
            ours["Console"]["targets"].pop()

        refused = "Console/Package.swift:5: on a Mac there is no target Console, which the product console lists"
        self.assertEqual(self.check(lose_listed), [refused])

        def name_product(ours):
            ours["Console"]["targets"][0]["dependencies"] = [{"byName": ["Kit", None]}]

        self.assertEqual(self.check(name_product), [])

    def test_a_dependency_that_needs_a_newer_system_is_found(self):
        def age(ours):
            ours["Console"]["platforms"] = [{"platformName": "macos", "version": "12.4"}]

        self.assertEqual(
            self.check(age),
            [
                "Console/Package.swift:4: console supports macos 12.4, and kit needs macos 13.0",
                "Console/Package.swift:6: console supports macos 12.4, and swift-log needs macos 15.0",
            ],
        )

        def use_on_linux(ours):
            age(ours)
            dependencies = ours["Console"]["targets"][1]["dependencies"]
            dependencies[1]["product"][-1] = dependencies[2]["product"][-1] = {"platformNames": ["linux"]}

        self.assertEqual(self.check(use_on_linux), [])

    def test_a_package_that_names_no_system_supports_the_oldest_ones(self):
        def name_none(ours):
            ours["Console"]["platforms"] = []

        self.assertEqual(
            self.check(name_none),
            [
                "Console/Package.swift:4: console supports ios 12.0, and kit needs ios 16.0",
                "Console/Package.swift:4: console supports macos 10.13, and kit needs macos 13.0",
                "Console/Package.swift:6: console supports macos 10.13, and swift-log needs macos 15.0",
            ],
        )

    def test_a_product_by_name_alone_needs_its_systems_and_its_package(self):
        def name_product(ours):
            ours["Console"]["targets"][1]["dependencies"] = [{"byName": ["Kit", None]}]
            ours["Console"]["platforms"] = [{"platformName": "macos", "version": "12.4"}]

        refused = "Console/Package.swift:4: console supports macos 12.4, and kit needs macos 13.0"
        self.assertEqual(self.check(name_product), [refused])

        def depend_on_none(ours):
            name_product(ours)
            ours["Console"]["dependencies"] = []

        refused = "Console/Package.swift:3: on a Mac there is no target Kit, which Console depends on"
        self.assertEqual(self.check(depend_on_none), [refused])

    def test_a_product_needs_its_package_on_a_mac(self):
        def depend_on_none(ours):
            ours["Console"]["dependencies"] = ours["Console"]["dependencies"][1:]

        refused = "on a Mac console has no dependency kit, whose product Kit Console depends on"
        self.assertEqual(self.check(depend_on_none), [f"Console/Package.swift:4: {refused}"])

    def test_a_plugin_that_a_mac_lacks_is_found(self):
        def use(package):
            return lambda ours: ours["Console"]["targets"][1].update(pluginUsages=[{"plugin": ["Draw", package]}])

        refused = "Console/Package.swift:1: on a Mac kit has no product Draw, which Console depends on"
        self.assertEqual(self.check(use("kit")), [refused])
        refused = "Console/Package.swift:1: on a Mac there is no target Draw, which Console depends on"
        self.assertEqual(self.check(use(None)), [refused])

        def use_one_of_a_newer_package(ours):
            use("kit")(ours)
            ours["."]["products"].append(product("Draw", "Draw"))
            ours["."]["targets"].append(target("Draw", kind="plugin"))
            ours["Console"]["targets"][1]["dependencies"] = []
            ours["Console"]["platforms"] = [{"platformName": "macos", "version": "12.4"}]

        # It runs where the package is built.
        self.assertEqual(self.check(use_one_of_a_newer_package), [])

    def test_a_package_that_is_not_there_is_refused_unless_the_workspace_does_not_fetch_it(self):
        refused = "Console/Package.swift:6: .build/checkouts lacks swift-log, so it is not checked; a build fetches it"
        self.assertEqual(self.check(others={}), [refused])
        self.assertEqual(manifests.unknown(OURS, {}, ["."]), [("Console", "swift-log")])
        self.assertEqual(self.check(others={}, workspace=["."]), [])
        self.assertEqual(manifests.unknown(OURS, {}, list(OURS)), [])
        self.assertEqual(manifests.unknown(OURS, OTHERS, ["."]), [])

    def test_conditions_on_the_system_are_decided_for_a_mac(self):
        for condition, decided in (
            ("#if os(Linux)", "#if false"),
            ("#elseif canImport(Darwin) && !os(iOS)", "#elseif true && !false"),
            ("  #if os(macOS) || swift(>=6.2)", "  #if true || swift(>=6.2)"),
            ("#if canImport(Glibc)", "#if false"),
            ("let os(Linux)", "let os(Linux)"),
        ):
            self.assertEqual(conditions.decided(f"a\n{condition}\nb\n", "macOS"), f"a\n{decided}\nb\n")


APP = """// swift-tools-version:6.2
import PackageDescription
#if os(Linux)
let phone: [Product] = [.executable(name: "phone-app", targets: ["PhoneApp"])]
#else
let phone: [Product] = []
#endif
let package = Package(
    name: "app", platforms: [.macOS(.v14)], products: phone, targets: [.executableTarget(name: "PhoneApp")])
"""
CONSOLE = """// swift-tools-version:6.2
import PackageDescription
let package = Package(
    name: "console", platforms: [.macOS(.v13)], dependencies: [.package(name: "app", path: "../App")],
    targets: [.target(name: "Query", dependencies: [.product(name: "phone-app", package: "app")])])
"""
BRIDGE = """// swift-tools-version:6.2
import PackageDescription
let api: Target.Dependency = .product(name: "API", package: "core")
let package = Package(
    name: "bridge", dependencies: [.package(url: "https://a.example/core", from: "1.0.0")],
    targets: [.target(name: "Query", dependencies: [api])])
"""
REPOSITORY = {
    "Astrolabe.xcworkspace/contents.xcworkspacedata": '<F location="group:App"/>\n<F location="group:Console"/>\n',
    "Scripts/modules.txt": "tool Query: a\nprogram PhoneApp: b\n",
    "Scripts/apple-api.txt": "",
    "Scripts/apple-modules.txt": "",
    "Scripts/apple-versions.txt": "macOS 26.0\n    Array.span\n",
    "App/Package.swift": APP,
    "Console/Package.swift": CONSOLE,
    "Console/Sources/Query/A.swift": "func sum(_ numbers: [Int]) -> Int { numbers.span[0] }\n",
}


class CheckTests(unittest.TestCase):
    def test_the_check_reads_manifests_as_on_a_mac_and_compares_api_with_their_systems(self):
        with Tree(REPOSITORY) as tree:
            result = program.run("check-apple", "--root", tree.root)
            self.assertEqual(
                (result.returncode, result.stderr.split("\n")[:-1]),
                (
                    1,
                    [
                        "Console/Package.swift:4: console supports macos 13.0, and app needs macos 14.0",
                        "Console/Package.swift:5: on a Mac app has no product phone-app, which Query depends on",
                        "Console/Sources/Query/A.swift:1: Array.span needs macOS 26, and the package supports macOS 13",
                    ],
                ),
            )
            (tree.root / "App/Package.swift").write_text(APP.replace("#if os(Linux)", "#if !os(iOS)"))
            (tree.root / "Console/Package.swift").write_text(CONSOLE.replace(".v13", ".v26"))
            self.assertEqual(program.run("check-apple", "--root", tree.root), (0, "", ""))
            (tree.root / "Bridge").mkdir()
            (tree.root / "Bridge/Package.swift").write_text(BRIDGE)
            noted = "Not checked: core, because Bridge is not in the workspace and nothing fetches its dependencies.\n"
            self.assertEqual(program.run("check-apple", "--root", tree.root), (0, noted, ""))
            workspace = tree.root / "Astrolabe.xcworkspace/contents.xcworkspacedata"
            workspace.write_text(workspace.read_text() + '<F location="group:Bridge"/>\n')
            refused = "Bridge/Package.swift:3: .build/checkouts lacks core, so it is not checked; a build fetches it\n"
            self.assertEqual(program.run("check-apple", "--root", tree.root), (1, "", refused))


if __name__ == "__main__":
    unittest.main()
