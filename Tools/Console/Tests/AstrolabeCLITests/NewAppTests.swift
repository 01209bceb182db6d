import AstrolabePlatform
import AstrolabeTestSupport
import DeviceSimulator
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct `A new app` {
    private let folder = TemporaryDirectory()
    private var path: String { folder.path + "/Tally" }

    private func make() async throws {
        try PrivateFiles.makeDirectory(folder.path)
        let made = await CommandInProcess.run(["new-app", "Tally", "--folder", path])
        #expect(made.status == 0, "\(made.output)")
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: path + "/" + file, encoding: .utf8)
    }

    @Test func `has no placeholder and a scenario that can be read, and replaces nothing`() async throws {
        try await make()
        #expect(try text("Package.swift").contains("name: \"Tally\""))
        for file in folder.files {
            #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("__"), "\(file)")
        }
        #expect(try ScenarioReader.read(try text("Scenarios/app.yaml")).steps.count > 10)
        let again = await CommandInProcess.run(["new-app", "Tally", "--folder", path])
        #expect(again.status != 0)
        #expect(again.output.contains("is not empty. Name another folder with --folder."), "\(again.output)")
    }

    #if os(Linux)
    /// Against the modules that are built with the tests, which takes a second. A build of the app takes half a minute.
    @Test func `compiles, with a file that imports Apple's other modules and one with Foundation alone`() async throws {
        try await make()
        try Self.files.forEach { name, text in
            try text.write(toFile: "\(path)/Sources/Tally/\(name).swift", atomically: true, encoding: .utf8)
        }
        let products = try BuiltProducts.executable(named: "astrolabe").deletingLastPathComponent().path
        let compile = """
            products="$0"; root="$1"; shift; maps=""
            for map in "$products"/*.build/module.modulemap "$root"/Sources/*/module.modulemap \\
                "$products"/../../checkouts/*/Sources/*/module.modulemap \\
                "$products"/../../checkouts/*/Sources/*/include/module.modulemap
            do
                if [ -f "$map" ]; then maps="$maps -Xcc -fmodule-map-file=$map"; fi
            done
            macros="$products/SwiftUIMacros-tool"
            if [ -x "$macros" ]; then maps="$maps -load-plugin-executable $macros#SwiftUIMacros"; fi
            exec swiftc -typecheck -swift-version 6 -module-name Tally -parse-as-library -I "$products/Modules" \\
                $maps "$@"
            """
        let names = ["TallyApp", "ContentView", "GreetingView"] + Self.files.keys
        let sources = names.map { "\(path)/Sources/Tally/\($0).swift" }
        let (status, output) = try Tool.run(
            ["sh", "-c", compile, products, Repository.file("").path] + (try flags()) + sources)
        #expect(status == 0, "\(output)")
    }

    private static let files = [
        "Model": """
        import Foundation

        final class Model: ObservableObject {
            @Published var text = ""
            func load(_ url: URL) async throws { text = "\\(try await URLSession.shared.data(from: url).0.count)" }
        }

        @Observable final class NewModel { var text = "" }
        """,
        "Logging": """
        import CoreGraphics
        import OSLog
        import UIKit
        import UniformTypeIdentifiers
        import os

        let logger = Logger(subsystem: "com.example.Tally", category: "ui")
        let point = CGPoint(x: 1, y: 2).applying(.identity)
        let color: UIColor = .systemBackground
        let type: UTType = .json

        func note(_ name: String, _ count: Int, _ error: any Error) {
            logger.info("loaded \\(name, privacy: .public), \\(count) times")
            logger.error("\\(error.localizedDescription, privacy: .private) \\(error)")
            os_log("%{public}@ %d", log: .default, type: .debug, name, count)
        }
        """,
    ]

    /// The compiler's flags in the manifest.
    private func flags() throws -> [String] {
        let (_, output) = try Tool.run(["swift", "package", "--package-path", path, "dump-package"])
        let text = output.drop { $0 != "{" }
        let manifest = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let targets = try #require(manifest["targets"] as? [[String: Any]])
        let settings = targets.flatMap { $0["settings"] as? [[String: Any]] ?? [] }
        let kinds = settings.compactMap { ($0["kind"] as? [String: Any])?["unsafeFlags"] as? [String: Any] }
        let flags = kinds.flatMap { $0["_0"] as? [String] ?? [] }
        try #require(!flags.isEmpty)
        return flags
    }
    #endif

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `builds, runs its scenario, and its crash has a line`() async throws {
        try await make()
        let (status, output) = try await Executable.run([
            "simulate", path + "/Scenarios", "--app", path, "--backend", path + "/Backend",
        ])
        #expect(status == 0, "\(output)")
        #expect(output.contains("1 of 1 scenarios passed"), "\(output)")
        let lines = try text("Sources/Tally/ContentView.swift").split(
            separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("fatalError(") }) + 1
        #expect(output.contains("ContentView.crash() · ContentView.swift:\(line)"), "\(output)")
    }

    @Test(arguments: ["tally", "My App", "../Tally", "Tal-ly"])
    func `has a name that can be a module's`(name: String) async {
        let (status, output) = await CommandInProcess.run(["new-app", name])
        #expect(status != 0)
        #expect(output.contains("expected a capital letter, then letters and digits"), "\(output)")
    }
}
