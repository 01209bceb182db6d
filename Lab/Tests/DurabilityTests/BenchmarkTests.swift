import AstrolabeTestSupport
import Foundation
import Testing

/// `./astrolabe bench` with the programs in release that a thorough run builds. The tests do not link it, because it
/// replaces the allocator.
@Suite(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"), .timeLimit(.minutes(10)))
struct `The benchmarks` {
    /// - Parameter astrolabe: The value of `ASTROLABE_EXECUTABLE`; `nil` for none.
    private static func run(
        _ arguments: [String], astrolabe: (URL) -> String?,
    ) async throws -> (status: Int32?, table: String) {
        let release = try BuiltProducts.executable(named: "SDKFixture").deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("release", isDirectory: true)
        let (process, output) = (Process(), Pipe())
        process.executableURL = release.appendingPathComponent("benchmarks")
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["ASTROLABE_EXECUTABLE"] = astrolabe(release)
        process.environment = environment
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        let status = await exits.first { _ in true }
        return (status, String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }

    @Test func `have a row that says why for each section that fails, and exit with 1`() async throws {
        let (status, table) = try await Self.run(["console", "fairness"]) { _ in nil }
        #expect(status == 1)
        for section in ["console", "fairness"] {
            let row = table.split(separator: "\n").first { $0.hasPrefix("| \(section) ") }
            #expect(row?.contains("ASTROLABE_EXECUTABLE does not name a release build") == true, "\(table)")
        }
    }

    @Test func `get spans of a session that is sampled in or promoted, and of no other`() async throws {
        let (status, table) = try await Self.run(["hour", "--minutes", "1"]) { _ in nil }
        #expect(status == 0, "\(table)")
    }

    @Test func `load a console for two minutes, which loses no record to a kill or to retention`() async throws {
        let soak = ["soak", "--minutes", "2", "--store-size", "0.02"]
        let (status, table) = try await Self.run(soak) { $0.appendingPathComponent("astrolabe").path }
        #expect(status == 0, "\(table)")
    }
}
