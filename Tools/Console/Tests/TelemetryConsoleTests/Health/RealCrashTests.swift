import AstrolabeTestSupport
import BrowserKit
import Foundation
import Symbolication
import Testing

@testable import TelemetryConsole

/// Tests with processes that really crash.
///
/// They cover the whole path from the signal through the report, the request and the store to the source line.
@Suite(.timeLimit(.minutes(15))) struct RealCrashTests {
    @Test(.enabled(if: FixtureBuild.debug.isBuilt, Comment(rawValue: FixtureBuild.howToBuild)))
    func `a crash is shown with its cause, function, file and line`() async throws {
        try await check(.debug)
    }

    @Test(.enabled(if: FixtureBuild.release.isBuilt, Comment(rawValue: FixtureBuild.howToBuild)))
    func `a crash of an optimised build is shown with its cause, function, file and line`() async throws {
        try await check(.release)
    }

    private func check(_ build: FixtureBuild) async throws {
        let markers = try SourceMarkers()
        try await ConsoleUnderTest.run { console in
            let app = try CrashedApp(try #require(build.executable), port: console.port)
            try SymbolStore(folder: console.console.configuration.symbolsFolder).add(app.executable)
            var runs: [(crash: RealCrash, process: Int)] = []
            for crash in RealCrash.tested { runs.append((crash, try await app.run(crash.name))) }
            try await app.run("report")
            let problems = try await Self.crashes(console)
            for run in runs {
                let found = problems.filter { $0["attributes"]["process.pid"].int == run.process }
                guard found.count == 1 else {
                    Issue.record("\(run.crash.name) arrived \(found.count) times")
                    continue
                }
                try expect(run.crash, in: found[0], build, markers)
            }
            #expect(problems.count == runs.count)
        }
    }

    private static func crashes(_ console: ConsoleUnderTest) async throws -> [JSONResponse] {
        var problems: [JSONResponse] = []
        for group in try await console.get("/api/v1/health/groups?kind=crash")["groups"].elements {
            #expect(group["wantedBuilds"].elements.isEmpty)
            let path = "/api/v1/health/groups/\(try #require(group["fingerprint"].text))"
            for problem in try await console.get(path)["problems"].elements {
                problems.append(
                    try await console.get("/api/v1/health/problems/\(try #require(problem["seq"].int))"))
            }
        }
        return problems
    }

    private func expect(
        _ crash: RealCrash, in problem: JSONResponse, _ build: FixtureBuild, _ markers: SourceMarkers,
    ) throws {
        let message = problem["message"].text ?? ""
        let title = problem["title"].text ?? ""
        let expected = build == .debug ? crash.message.debug : crash.message.release
        #expect(message.contains(expected), "\(crash.name): \(message)")
        #expect(crash.title.isEmpty ? title.hasPrefix(expected) : title == crash.title, "\(crash.name): \(title)")

        let marker = try markers.place(crash.marker)
        let fileName = marker.file.split(separator: "/").last ?? ""
        let frames = problem["threads"].elements.first { $0["crashed"].bool == true }?["frames"].elements ?? []
        let own = frames.flatMap { $0["sources"].elements }.filter { $0["own"].bool == true }
        // A stack overflow happens in the first instruction of a function or in the call before it.
        let top = crash.marker == "stack-overflow" ? own.prefix(3) : own.prefix(1)
        let found = top.contains { source in
            source["function"].text?.contains(crash.function) == true && source["line"].int == marker.line
                && source["file"].text?.hasSuffix(marker.file) == true
        }
        #expect(found, "\(crash.name), line \(marker.line): \(top.map(Self.text)) of \(own.prefix(6).map(Self.text))")
        let place = problem["place"].text ?? ""
        #expect(place.contains(crash.function) && place.contains(" · \(fileName):"), "\(crash.name): \(place)")
        if crash.marker != "stack-overflow" {
            #expect(place.hasSuffix(" · \(fileName):\(marker.line)"), "\(crash.name): \(place)")
        }
        guard crash.name.hasPrefix("inlined") else { return }
        let outer = try #require(own.dropFirst().first)
        #expect(outer["line"].int == (try markers.place(crash.name, verb: "inlined")).line, "\(Self.text(outer))")
        #expect(build == .debug || own.first?["inlined"].bool == true, "\(crash.name)")
    }

    private static func text(_ source: JSONResponse) -> String {
        "\(source["function"].text ?? "?") \(source["file"].text ?? "?"):\(source["line"].int ?? 0)"
    }
}

/// One installation of the fixture app, which sends its records to a console.
private struct CrashedApp {
    let executable: URL
    private let folder = TemporaryDirectory()
    private let port: Int

    init(_ executable: URL, port: Int) throws {
        self.executable = executable
        self.port = port
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }

    /// Runs the app until it ends and returns its process id.
    @discardableResult
    func run(_ ending: String) async throws -> Int {
        let process = Process()
        process.executableURL = executable
        process.arguments = [ending, folder.path, String(port)]
        // The Swift runtime's own crash handler is slow.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        return Int(process.processIdentifier)
    }
}
