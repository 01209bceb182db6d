import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing

/// Tests of apps that are not the shop, with the real phone and console.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `An app of one's own` {
    private static let example = Repository.file("Examples/FieldNotes")

    @Test func `plays its scenarios with a folder as its backend, and the report has the crash's line`() async throws {
        let app = try BuiltProducts.executable(named: "field-notes")
        let (status, output) = try await Executable.run([
            "simulate", Self.example.path + "/Scenarios", "--app", app.path,
            "--backend", Self.example.path + "/Backend",
        ])
        #expect(status == 0, "\(output)")
        #expect(output.contains("2 of 2 scenarios passed"), "\(output)")
        let source = Self.example.appendingPathComponent("Sources/FieldNotes/SettingsView.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("fatalError(") }) + 1
        let place = "SettingsView.crash() · SettingsView.swift:\(line)"
        #expect(output.contains("crash   Fatal error: A demonstration · \(place)"), "\(output)")
    }

    @Test func `runs in the demo, on the phone's page and at the console's address`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let demo = try await RunningConsole([
            "demo", "--app", BuiltProducts.executable(named: "field-notes").path,
            "--backend", Self.example.path + "/Backend", "--port", "0", "--grpc-port", "0",
            "--database", folder.path + "/console.sqlite",
        ])
        let screen = "http://127.0.0.1:\(demo.port)/device/api/v1/screen"
        try await eventually("the phone's page shows the notes") {
            try await HTTP.request("GET", screen).text.contains("Saturn")
        }
        demo.terminate()
        #expect(await demo.status() == 0)
    }

    @Test func `is refused with what was expected`() async throws {
        let folder = try Packages()
        let empty = try folder.make("Empty", manifest: nil)
        let two = try folder.make(
            "Two", manifest: #".executableTarget(name: "One"), .executableTarget(name: "Other")"#)
        let none = try folder.make("None", manifest: #".target(name: "Library")"#)
        let plain = folder.path + "/plain"
        try "text".write(toFile: plain, atomically: true, encoding: .utf8)
        for (path, options, words) in [
            (empty, [], "is not a package: it has no Package.swift"),
            (two, [], "has several executables: One, Other. Choose one with --product."),
            (two, ["--product", "Third"], "--product: expected one of One, Other; found Third"),
            (none, [], "has no executable product"),
            (plain, [], "cannot be executed. Expected a package folder or an executable."),
            (folder.path + "/nowhere", [], "no such file or folder"),
        ] as [(String, [String], String)] {
            let (status, output) = await CommandInProcess.run(
                ["simulate", Self.example.path + "/Scenarios", "--app", path] + options)
            #expect(status != 0)
            #expect(output.contains(words), "\(output)")
        }
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `that does not compile shows the compiler's errors`() async throws {
        let folder = try Packages()
        let broken = try folder.make("Broken", manifest: #".executableTarget(name: "Broken")"#)
        try PrivateFiles.makeDirectory(broken + "/Sources/Broken")
        try "let moon: Int = \"new\"".write(
            toFile: broken + "/Sources/Broken/main.swift", atomically: true, encoding: .utf8)
        let (status, output) = try await Executable.run(
            ["simulate", Self.example.path + "/Scenarios", "--app", broken])
        #expect(status != 0)
        #expect(output.contains("main.swift:1:17: error: cannot convert value of type"), "\(output)")
        #expect(output.contains("Broken does not build; see the errors above"), "\(output)")
    }

    @Test func `that uses what its iOS lacks is refused before it is built`() async throws {
        let folder = try Packages()
        let app = try folder.make(
            "Newer", manifest: #".executableTarget(name: "Newer")"#, platforms: "[.iOS(.v16), .macOS(.v14)]")
        try PrivateFiles.makeDirectory(app + "/Sources/Newer")
        let source = """
            import SwiftUI
            @available(iOS 17, *)
            struct New: View { var body: some View { ContentUnavailableView("None", systemImage: "tray") } }
            struct Old: View { var body: some View { ContentUnavailableView("None", systemImage: "tray") } }
            """
        try source.write(toFile: app + "/Sources/Newer/App.swift", atomically: true, encoding: .utf8)
        let (status, output) = try await Executable.run(
            ["simulate", Self.example.path + "/Scenarios", "--app", app])
        #expect(status != 0)
        let place = "Sources/Newer/App.swift:4: error: "
        #expect(output.contains(place + "ContentUnavailableView needs iOS 17, and the package supports iOS 16"))
        #expect(!output.contains("App.swift:3"), "\(output)")
        #expect(output.contains("The app uses what iOS 16.0 lacks"), "\(output)")
    }

    @Test func `is named if it ignores the phone`() async throws {
        let (status, output) = try await Executable.run([
            "simulate", Self.example.path + "/Scenarios/notes.yaml", "--app", "/bin/true",
        ])
        #expect(status != 0)
        #expect(output.contains("The app ended with status 0, without hello over the link."), "\(output)")
    }

    @Test(arguments: ["https://example.com", "nowhere", "ftp://example.com"])
    func `has a backend at an HTTP address, or none`(backend: String) async {
        let (status, output) = await CommandInProcess.run([
            "simulate", Self.example.path + "/Scenarios", "--app", "/bin/true", "--backend", backend,
        ])
        #expect(status != 0)
        #expect(
            output.contains("--backend: expected an address such as http://127.0.0.1:8080, or a folder"), "\(output)")
    }

    @Test func `does not start with options that are about the shop`() async {
        let (status, output) = await CommandInProcess.run(["demo", "--app", "/bin/true", "--once"])
        #expect(status != 0)
        #expect(output.contains("--once and --history are about the shop"), "\(output)")
        let (failure, reason) = await CommandInProcess.run(["demo", "--product", "One"])
        #expect(failure != 0)
        #expect(reason.contains("--product requires --app"), "\(reason)")
    }

    /// Packages in a temporary folder.
    private final class Packages {
        private let folder = TemporaryDirectory()
        var path: String { folder.path }

        init() throws {
            try PrivateFiles.makeDirectory(folder.path)
        }

        func make(_ name: String, manifest targets: String?, platforms: String = "[.iOS(.v16)]") throws -> String {
            let path = folder.path + "/" + name
            try PrivateFiles.makeDirectory(path)
            guard let targets else { return path }
            let manifest = """
                // swift-tools-version:6.2
                import PackageDescription
                let package = Package(name: "\(name)", platforms: \(platforms), targets: [\(targets)])
                """
            try manifest.write(toFile: path + "/Package.swift", atomically: true, encoding: .utf8)
            return path
        }
    }
}
