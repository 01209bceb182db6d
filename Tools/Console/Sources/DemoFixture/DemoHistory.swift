import BrowserKit
package import ShopHistory

/// The records of a console when `./astrolabe demo --history` has run for a while: a synthetic fleet, and the shopper.
package struct DemoHistory: Sendable {
    /// The ages of a demo in minutes: when it has just started, and more than an hour later.
    package static let ages: [UInt64] = [8, 90]

    private static let minute: UInt64 = 60_000_000_000

    private let settings: HistorySettings
    /// The time at which the demo has its age, in nanoseconds since 1970.
    package let now: UInt64

    /// - Parameters:
    ///   - settings: The history, which ends when the demo starts.
    ///   - age: The demo's age in minutes.
    package init(_ settings: HistorySettings, age: UInt64) {
        self.settings = settings
        now = settings.end + age * Self.minute
    }

    /// - Parameters:
    ///   - now: The time at which the demo has its age, in nanoseconds since 1970.
    ///   - age: The demo's age in minutes.
    package init(now: UInt64, age: UInt64) {
        self.init(HistorySettings(end: now - age * Self.minute), age: age)
    }

    /// Sends all records to a console, and returns the shopper, who goes on.
    package func send(to console: String) async throws -> RunningShopper {
        try await FleetHistory(settings).send(to: console)
        let shopper = RunningShopper(LiveShopper(start: settings.end), console: console)
        try await shopper.shop(until: now)
        return shopper
    }
}

/// A shopper whose trips go to a console.
package actor RunningShopper {
    private var shopper: LiveShopper
    private var console: String

    init(_ shopper: LiveShopper, console: String) {
        self.shopper = shopper
        self.console = console
    }

    /// Goes on with another console, such as the same one after a restart.
    package func move(to console: String) { self.console = console }

    /// Makes the trips that have ended at a time, in nanoseconds since 1970.
    package func shop(until time: UInt64) async throws {
        for trip in shopper.trips(until: time) { try await send(trip) }
    }

    /// Makes the next trip, whatever its time is.
    package func shopOnce() async throws { try await send(shopper.trip()) }

    private func send(_ trip: JSON) async throws {
        try await OTLPBody.send(try trip.bytes, as: "application/json", to: "\(console)/v1/traces")
    }
}

extension FleetHistory {
    /// Sends the rest of the history to a console.
    package func send(to console: String) async throws {
        var history = self
        while let batch = history.next() { try await batch.send(to: console) }
    }
}

extension HistoryBatch {
    package func send(to console: String) async throws {
        for (signal, body) in [("traces", traces), ("logs", logs), ("metrics", metrics)] {
            try await OTLPBody.send(body, as: "application/x-protobuf", to: "\(console)/v1/\(signal)")
        }
    }
}
