import AstrolabePlatform
import FleetSimulator

/// Two days of a fleet of phones that use the Astronomy Shop, as OTLP requests.
///
/// The SDK's tracer, event logger and meter record each session with the times of the history, and the SDK's encoder
/// writes them. Sessions are made one after the other, so memory does not depend on their number.
///
///     var history = FleetHistory(settings)
///     while let batch = history.next() { try await send(batch) }
///
/// The fleet has one bad release: in version 2.2.0 on iOS 26.1, an order in Swiss francs fails. Every resource has
/// `astrolabe.synthetic = true`.
package struct FleetHistory {
    private let settings: HistorySettings
    private let recorder: HistoryRecorder
    private let calendar: VisitCalendar
    private var phones: [PhoneState]
    /// Phones of people whose order failed and who come back to try again, the earliest first.
    private var returning: [(time: UInt64, phone: Int)] = []
    private var made = 0

    /// A batch ends with the session that reaches this size, in bytes.
    private static let batchSize = 1 << 20
    private static let sessionsPerPhone = 2.5

    /// The state that a phone keeps from one session to the next.
    private struct PhoneState {
        var freeAt: UInt64 = 0
        var lastSession = ""
        var ledger = LedgerSum()
    }

    package init(_ settings: HistorySettings) {
        self.settings = settings
        recorder = HistoryRecorder(seed: settings.seed, end: settings.end)
        calendar = VisitCalendar(settings)
        let count = max(1, Int(Double(settings.sessions) / Self.sessionsPerPhone))
        phones = Array(repeating: PhoneState(), count: count)
    }

    /// Returns the next sessions, or `nil` at the end.
    package mutating func next() -> HistoryBatch? {
        guard made < settings.sessions else { return nil }
        while made < settings.sessions, recorder.size < Self.batchSize { visit() }
        return recorder.takeBatch(sessions: made)
    }

    private mutating func visit() {
        var chance = SeededRandom(seed: settings.seed, stream: .history, device: made)
        let time = calendar.start(of: made, chance: &chance)
        let isReturn = returning.first.map { $0.time <= time } ?? false
        let number = isReturn ? returning.removeFirst().phone : freePhone(at: time, &chance)
        let phone = Phone(number, settings, at: time)
        let state = phones[number]
        var visit = Visit(
            phone: phone, recorder: recorder, chance: chance, start: max(time, state.freeAt),
            previousSession: state.lastSession, mayOpenNextSession: made + 1 < settings.sessions)
        visit.take(isDetermined: isReturn)
        let ledger = recorder.endSession(of: phone, ledger: state.ledger, lost: visit.lostRecords, at: visit.now)
        phones[number] = PhoneState(
            freeAt: visit.now + 60_000_000_000, lastSession: visit.session, ledger: ledger)
        self.made += visit.sessions
        if visit.wasLetDown, chance.happens(0.8) {
            let back = visit.now + UInt64(chance.within(1_200...9_000) * 1e9)
            let place = returning.firstIndex { $0.time > back } ?? returning.endIndex
            returning.insert((back, number), at: place)
        }
    }

    private func freePhone(at time: UInt64, _ chance: inout SeededRandom) -> Int {
        let first = chance.count(0...(phones.count - 1))
        for offset in 0..<phones.count {
            let number = (first + offset) % phones.count
            if phones[number].freeAt <= time { return number }
        }
        return first
    }
}

/// OTLP requests of some sessions, not compressed.
package struct HistoryBatch: Sendable {
    /// The sessions made so far, those of earlier batches included.
    package let sessions: Int
    /// The records in this batch.
    package let records: Int
    /// The body for `/v1/traces`.
    package let traces: [UInt8]
    /// The body for `/v1/logs`.
    package let logs: [UInt8]
    /// The body for `/v1/metrics`.
    package let metrics: [UInt8]
}
