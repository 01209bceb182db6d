import Foundation

/// The cost of health monitoring and replay: the same shopping trip on the simulated phone, with and without them.
enum TripRows {
    /// The features that are on, set by the SDK's environment variables.
    private struct Setting {
        let name: String
        let health: String
        let replay: String
    }

    private static let bare = Setting(name: "neither", health: "off", replay: "off")
    private static let watched = [
        Setting(name: "crash and hang monitoring", health: "crashes,hangs", replay: "off"),
        Setting(name: "frame monitoring", health: "frames", replay: "off"),
        Setting(name: "session replay", health: "off", replay: "on"),
        Setting(name: "all of them", health: "all", replay: "on"),
    ]
    /// The budget of the whole SDK in normal mode: a share of one processor, and megabytes.
    private static let budget = (processor: 0.05, memory: 50.0)

    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        let rounds = options.isShort ? 3 : 9
        let astrolabe = try MeasuredProgram.astrolabe
        // The simulator starts the shop's backend for the shop alone, and the app here is this program. The backend
        // records nothing, because its console is not the trip's.
        let backend = try MeasuredProgram(
            astrolabe, ["shop-server", "--port", "0"], environment: ["OTEL_SDK_DISABLED": "true"])
        defer { backend.end() }
        let phone = TripPhone(astrolabe: astrolabe, backend: backend.address)
        var trips: [String: [TripUsage]] = [:]
        // Interleaved, so that a change of the machine's speed affects all of them.
        for round in 0..<rounds {
            Report.say("  trips, round \(round + 1) of \(rounds)")
            for setting in [bare] + watched {
                let usage = try phone.makeTrip(["ASTROLABE_HEALTH": setting.health, "ASTROLABE_REPLAY": setting.replay])
                trips[setting.name, default: []].append(usage)
            }
        }
        let without = TripUsage.median(of: trips[bare.name] ?? [])
        return watched.map { setting in
            let with = TripUsage.median(of: trips[setting.name] ?? [])
            // Relative to the duration of the trip, because the budget is relative to the time of use.
            let share = (with.processorSeconds - without.processorSeconds) / without.seconds
            let memory = with.peakMegabytes - without.peakMegabytes
            return Row(
                name: "a shopping trip, \(setting.name)",
                figure: String(
                    format: "%+.1f %% CPU, %+.1f MB, %+.1f kB sent", share * 100, memory,
                    with.kilobytesSent - without.kilobytesSent),
                target: "whole SDK under 5 % CPU and 50 MB",
                isMet: share < budget.processor && memory < budget.memory,
                alternative: String(
                    format: "without: %.2f s CPU in %.1f s, %.1f MB, %.1f kB sent",
                    without.processorSeconds, without.seconds, without.peakMegabytes, without.kilobytesSent))
        }
    }
}

/// The resources that one trip used.
struct TripUsage: Codable {
    /// The processor time of the app's process, including the system's work for it.
    var processorSeconds = 0.0
    /// The maximum resident memory.
    var peakMegabytes = 0.0
    /// The time from start to end.
    var seconds = 0.0
    /// The bytes of its telemetry requests' bodies.
    var kilobytesSent = 0.0

    static func median(of trips: [TripUsage]) -> TripUsage {
        func median(_ figure: KeyPath<TripUsage, Double>) -> Double {
            let sorted = trips.map { $0[keyPath: figure] }.sorted()
            return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        }
        return TripUsage(
            processorSeconds: median(\.processorSeconds), peakMegabytes: median(\.peakMegabytes),
            seconds: median(\.seconds), kilobytesSent: median(\.kilobytesSent))
    }
}

/// Makes trips with `astrolabe simulate`. The app is this program, which starts the real app and measures it.
private struct TripPhone {
    let astrolabe: URL
    /// The address of the shop's backend.
    let backend: String

    func makeTrip(_ environment: [String: String]) throws -> TripUsage {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (app, usage) = (folder.appendingPathComponent("app"), folder.appendingPathComponent("usage.json"))
        let real = astrolabe.deletingLastPathComponent().appendingPathComponent("astronomy-shop")
        let settings = environment.map { "export \($0.key)='\($0.value)'\n" }.sorted().joined()
        let words = [Bundle.main.executablePath ?? "", MeasuredApp.word, usage.path, real.path]
        try Data("#!/bin/sh\n\(settings)exec \(words.map { "'\($0)'" }.joined(separator: " "))\n".utf8).write(to: app)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: app.path)

        let simulation = Process()
        let output = Pipe()
        simulation.executableURL = astrolabe
        simulation.arguments = ["simulate", Self.scenario.path, "--app", app.path, "--backend", backend]
        simulation.standardOutput = output
        simulation.standardError = output
        try simulation.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        simulation.waitUntilExit()
        guard simulation.terminationStatus == 0 else { throw BenchmarkFailure("the trip failed:\n\(said)") }
        var trip = try JSONDecoder().decode(TripUsage.self, from: Data(contentsOf: usage))
        guard let bytes = said.firstMatch(of: /sent ([0-9]+) bytes/).flatMap({ Double($0.1) }) else {
            throw BenchmarkFailure("expected 'sent N bytes'; found:\n\(said)")
        }
        trip.kilobytesSent = bytes / 1_000
        return trip
    }

    private static let scenario = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Trip.yaml")
}

/// This program in place of the app.
enum MeasuredApp {
    /// The command is `benchmarks measured-app USAGE APP`. It runs the app and writes its resource usage.
    static let word = "measured-app"

    static func run(usage file: String, app: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: app)
        let clock = ContinuousClock()
        let elapsed = try clock.measure {
            try process.run()
            process.waitUntilExit()
        }
        var children = rusage()
        getrusage(Self.who, &children)
        let usage = TripUsage(
            processorSeconds: children.processorSeconds,
            peakMegabytes: Double(children.ru_maxrss) * Self.memoryUnit / 1e6, seconds: elapsed.nanoseconds / 1e9)
        try JSONEncoder().encode(usage).write(to: URL(fileURLWithPath: file))
        return process.terminationStatus
    }

    // The unit is kilobytes on Linux and bytes on macOS.
    #if os(Linux)
    private static let who = __rusage_who_t(RUSAGE_CHILDREN.rawValue)
    private static let memoryUnit = 1_024.0
    #else
    private static let who = RUSAGE_CHILDREN
    private static let memoryUnit = 1.0
    #endif
}
