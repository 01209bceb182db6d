import AstrolabePlatform
import Foundation

/// The writers and readers of the console of the soak. All survive its kills.
final class SoakClients: Sendable {
    struct Counts: Sendable {
        /// The records of requests that were answered with 200.
        var acknowledged = 0
        /// The records of requests that had another status. They were sent again.
        var refused = 0
        /// The records of requests without a response. They were sent again.
        var unanswered = 0
        /// The requests that were taken in part.
        var partial = 0
        /// The responses that readers got, and those that were not 200.
        var read = 0
        var notRead = 0
    }

    /// The current port of the console.
    let port: Locked<UInt16>
    private let tally = Locked(Counts())

    init(port: UInt16) { self.port = Locked(port) }

    var counts: Counts { tally.withLock { $0 } }

    /// Sends records of a signal each second. What the console has not acknowledged is sent again until it is.
    func write(_ signal: SoakTraffic.Signal, rate: Int, on loops: BackgroundLoops) {
        loops.start { [self] _, goesOn in
            var traffic = SoakTraffic(signal)
            var connection: LoopbackConnection?
            var due = ContinuousClock.now
            while goesOn() {
                for request in traffic.requests(of: rate) { try deliver(request, signal, over: &connection) }
                due += .seconds(1)
                let early = (due - ContinuousClock.now).nanoseconds / 1e9
                if early > 0 { Thread.sleep(forTimeInterval: early) }
            }
        }
    }

    private func deliver(
        _ request: (body: [UInt8], records: Int), _ signal: SoakTraffic.Signal,
        over connection: inout LoopbackConnection?,
    ) throws {
        for attempt in 0..<600 {
            do {
                let current = try connection ?? LoopbackConnection(port: port.withLock { $0 }, from: 2)
                connection = current
                let response = try current.post(request.body, signal: signal.rawValue)
                if response.status == 200 {
                    return tally.withLock {
                        $0.acknowledged += request.records
                        // A record that had arrived before its response was lost may be counted as a repetition.
                        if attempt == 0, !response.body.isEmpty { $0.partial += 1 }
                    }
                }
                tally.withLock { $0.refused += request.records }
            } catch {
                connection = nil
                tally.withLock { $0.unanswered += request.records }
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
        throw BenchmarkFailure("a request of \(signal.rawValue) was not acknowledged within two minutes")
    }

    /// Asks one of these each second.
    func poll(_ targets: [String], on loops: BackgroundLoops) {
        loops.start { [self] _, goesOn in
            var connection: LoopbackConnection?
            var turn = 0
            while goesOn() {
                do {
                    let current = try connection ?? LoopbackConnection(port: port.withLock { $0 }, from: 3)
                    connection = current
                    let status = try current.request("GET", targets[turn % targets.count]).status
                    tally.withLock {
                        $0.read += 1
                        if status != 200 { $0.notRead += 1 }
                    }
                } catch {
                    connection = nil
                }
                turn += 1
                Thread.sleep(forTimeInterval: 1)
            }
        }
    }

    /// Opens streams of events that are read once or never, and resets each after some seconds.
    func follow(_ count: Int, on loops: BackgroundLoops) {
        loops.start(count) { [self] number, goesOn in
            let request = Array("GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
            while goesOn() {
                // Closed with unread bytes, a connection is reset.
                let connection = try? LoopbackConnection(port: port.withLock { $0 }, from: 3)
                try? connection?.write(request)
                if number % 2 == 0 { _ = try? connection?.receive() }
                for _ in 0..<Int.random(in: 5...100) where goesOn() { Thread.sleep(forTimeInterval: 0.1) }
                withExtendedLifetime(connection) {}
            }
        }
    }
}
