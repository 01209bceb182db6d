import ArgumentParser
import FleetSimulator
import Foundation

/// Many phones at once, in virtual time, on the SDK's own code.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet", abstract: "Simulate many phones, and account for every record they make.",
        discussion: """
            Each phone runs the SDK's journal, offline queue, delivery and policy through a day of its own: networks, \
            battery, heat, crashes and kills. The same seed gives the same result. Ends with a failure where an \
            invariant does not hold.
            """, )

    @Option(help: "How many phones.")
    var devices = 1_000

    @Option(help: "Hours of virtual time, from 6 in the morning.")
    var hours = 24

    @Option(help: "Decides everything that is left to chance.")
    var seed: UInt64 = 7

    @Option(help: "The HTML page with the plots.")
    var page = ".astrolabe/fleet.html"

    @Option(help: "How many phones to simulate at the same time. (default: one for each processor)")
    var jobs: Int?

    func validate() throws {
        guard (1...1_000_000).contains(devices) else {
            throw ValidationError("--devices: expected 1 to 1000000, found \(devices)")
        }
        guard (1...336).contains(hours) else { throw ValidationError("--hours: expected 1 to 336, found \(hours)") }
        if let jobs, !(1...1_024).contains(jobs) {
            throw ValidationError("--jobs: expected 1 to 1024, found \(jobs)")
        }
    }

    func run() async throws {
        var settings = FleetSettings()
        settings.devices = devices
        settings.hours = hours
        settings.seed = seed
        settings.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        let simulation = FleetSimulation(settings)
        try await UntilStopped.run(isSupervised: false) { [settings, page] in
            try await UserFacingErrors.run {
                let file = try Self.makeRoom(for: page)
                let progress = ProgressBar()
                let results = try await simulation.run { progress.show($0) }
                progress.end()
                say(results.table)
                try FleetPage(results, of: settings).html.write(to: file, atomically: true, encoding: .utf8)
                say("\nThe page is at \(file.path)")
                guard results.isSound else { throw ExitCode.failure }
            }
        }
    }

    /// The page's file, whose folder is made where it is missing: before the fleet runs, not after.
    private static func makeRoom(for path: String) throws -> URL {
        let file = URL(fileURLWithPath: path)
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw FleetPageError(description: "--page: cannot write to \(folder.path); name a file in another folder")
        }
        return file
    }
}

/// Why there can be no page.
private struct FleetPageError: Error, CustomStringConvertible {
    let description: String
}

/// Tells on standard error how far a simulation has come: a bar on a terminal, a line for each tenth elsewhere.
private final class ProgressBar: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let line: FleetProgressLine

    init() {
        line = FleetProgressLine()
    }

    func show(_ progress: FleetProgress) {
        guard let text = line.text(for: progress, isTerminal: isTerminal) else { return }
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1B}[K" + text : text + "\n").utf8))
    }

    /// Takes the bar away.
    func end() {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
