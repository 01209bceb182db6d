#if os(Linux)
/// The cost of a server that misbehaves for a process that sends to it.
package struct FaultCost: Sendable, CustomStringConvertible {
    /// The time of the measurement, in seconds.
    package static let window = 100.0

    package let fault: ServerFault
    /// CPU time.
    package let seconds: Double
    /// The most memory.
    package let mebibytes: Double
    package let requests: Int

    package var description: String { "\(fault): \(seconds) s, \(mebibytes) MiB, \(requests) requests" }

    /// True if it is less than 64 MiB and 2 % of a processor, with a request at least.
    package var isLow: Bool {
        mebibytes > 0 && mebibytes < 64 && seconds < Self.window * 0.02 && requests > 0
    }

    /// Measures all faults at the same time, each with a server and a process of its own.
    ///
    /// - Parameter arguments: The fixture's, for a folder and the server's port.
    package static func all(
        for fixture: String, _ arguments: (_ folder: String, _ port: Int) -> [String],
    ) async throws -> [FaultCost] {
        let runs = try ServerFault.all.map { fault in
            let server = try RawServer { _, connection in fault.act(connection) }
            let folder = TemporaryDirectory()
            let process = try KilledProcess(arguments(folder.path, server.port), of: fixture)
            return (fault: fault, server: server, folder: folder, process: process)
        }
        // `eventually` waits for a minute at most.
        for _ in 1...2 {
            let half = ContinuousClock.now + .seconds(window / 2)
            try await eventually("half of the time has passed") { ContinuousClock.now > half }
        }
        return runs.map { run in
            let usage = run.process.usage
            run.process.kill()
            return FaultCost(
                fault: run.fault, seconds: usage.seconds, mebibytes: usage.mebibytes,
                requests: run.server.requests.count)
        }
    }
}
#endif
