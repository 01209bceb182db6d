import ArgumentParser
import FleetSimulator
import Foundation

/// The command that simulates many phones in virtual time with the SDK's own code.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet", abstract: "Simulate many phones and account for every record they create.",
        discussion: """
            Each phone runs the SDK's journal, offline queue, delivery and policy through its own day of network \
            changes, battery levels, heat, crashes and kills. The same seed gives the same result. The exit status is \
            not 0 if an invariant is violated.

            With --compare-sampling, a model of each phone's day says which bad sessions arrive in full, and how many \
            bytes that costs. It compares rates of head sampling with the flight recorder.

            With --completeness, the share of each hour's records that a console says has arrived is compared with the \
            truth, as it looked one hour, one day and two days later. The exit status is not 0 if more than 5 % of the \
            hours differ by more than 2 points.
            """)

    @Option(help: "The number of phones.")
    var devices = 1_000

    @Option(help: "The hours of virtual time to simulate, starting at 06:00.")
    var hours = 24

    @Option(help: "The seed of the random number generator.")
    var seed: UInt64 = 7

    @Option(help: "A server of OTLP/HTTP to send the requests to, such as http://127.0.0.1:4318. The day ends now.")
    var endpoint: String?

    @Option(help: "The number of phones to simulate at the same time. (default: the number of processors)")
    var jobs: Int?

    @Flag(help: "Compare rates of head sampling with the flight recorder.")
    var compareSampling = false

    @Option(help: "With --compare-sampling, the percentage of sessions in which something goes wrong.")
    var badSessions = 3.0

    @Flag(help: "Compare the completeness that a console shows for each hour with the truth.")
    var completeness = false

    @Flag(help: "With --compare-sampling, print the comparison as JSON.")
    var json = false

    @Option(help: "With --compare-sampling, the file for a chart as SVG.")
    var chart: String?

    func validate() throws {
        guard (1...1_000_000).contains(devices) else {
            throw ValidationError("--devices: expected 1 to 1000000, found \(devices)")
        }
        guard (1...336).contains(hours) else { throw ValidationError("--hours: expected 1 to 336, found \(hours)") }
        if let endpoint { try ConsoleAddress.check(endpoint, option: "--endpoint", example: "http://127.0.0.1:4318") }
        if let jobs, !(1...1_024).contains(jobs) {
            throw ValidationError("--jobs: expected 1 to 1024, found \(jobs)")
        }
        guard badSessions > 0, badSessions <= 100 else {
            throw ValidationError("--bad-sessions: expected more than 0, and at most 100, found \(badSessions)")
        }
        if compareSampling, endpoint != nil {
            throw ValidationError("Expected --compare-sampling or --endpoint, found both.")
        }
        if completeness, compareSampling || endpoint != nil {
            throw ValidationError("Expected --completeness, --compare-sampling or --endpoint, found two of them.")
        }
        if completeness, hours > 120 {
            throw ValidationError("--hours: expected 1 to 120 with --completeness, found \(hours)")
        }
        if !compareSampling, json || chart != nil || badSessions != 3 {
            throw ValidationError("--json, --chart and --bad-sessions: expected --compare-sampling with them")
        }
    }

    func run() async throws {
        var settings = FleetSettings()
        settings.devices = devices
        settings.hours = hours
        settings.seed = seed
        settings.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        if let url = endpoint.flatMap({ URL(string: $0) }) {
            settings.receiver = FleetReceiver(url: url, headers: ConsoleKey.headers)
            settings.start = UInt64((Date().timeIntervalSince1970 - Double(hours) * 3_600) * 1e9)
        }
        if compareSampling { return try await compare(settings) }
        if completeness { return try await proveCompleteness(settings) }
        let simulation = FleetSimulation(settings)
        try await UntilStopped.run(isSupervised: false) { [settings, endpoint] in
            try await UserFacingErrors.run {
                let progress = ProgressBar()
                let results = try await simulation.run { progress.show($0) }
                progress.end()
                say(results.table)
                if let endpoint, let run = settings.receiver?.runName {
                    try await FleetReceipt(console: endpoint, run: run, hours: settings.hours).check(results.arrivals)
                }
                guard results.isSound else { throw ExitCode.failure }
            }
        }
    }
}

extension FleetCommand {
    private func compare(_ settings: FleetSettings) async throws {
        let comparison = SamplingComparison(settings, badShare: badSessions / 100)
        try await UntilStopped.run(isSupervised: false) { [json, chart] in
            try await UserFacingErrors.run {
                let progress = ProgressBar()
                let results = try await comparison.run { progress.show($0) }
                progress.end()
                say(try json ? results.json() : results.table)
                if let chart {
                    try Data(results.chart.utf8).write(to: URL(fileURLWithPath: chart))
                    sayError("Wrote \(chart)")
                }
            }
        }
    }
}

extension FleetCommand {
    private func proveCompleteness(_ settings: FleetSettings) async throws {
        let proof = CompletenessProof(settings)
        try await UntilStopped.run(isSupervised: false) {
            try await UserFacingErrors.run {
                let progress = ProgressBar()
                let results = try await proof.run { progress.show($0) }
                progress.end()
                say(results.table)
                guard results.shareWithinTolerance >= CompletenessResults.wantedShare else { throw ExitCode.failure }
            }
        }
    }
}

/// Shows a simulation's progress on standard error: a bar on a terminal, otherwise one line per 10 %.
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

    /// Removes the bar.
    func end() {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
