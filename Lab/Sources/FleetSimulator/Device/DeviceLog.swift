import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel

/// Everything recorded about a device during the simulation. The network and the device write to it in turn.
final class DeviceLog: Sendable {
    private struct State {
        var book = RecordBook()
        var results: FleetResults
        var story: DeviceStory
        /// The most urgent priority that the current flush may still send, by kind. It falls from request to request.
        var ceilings: [RecordKind: Priority] = [:]
        /// The last status of the device's ledger.
        var ledger = RecordLedger()
        var isUnbalanced = false
    }

    private let state: Locked<State>
    private let clock: VirtualClock
    let device: Int

    init(device: Int, clock: VirtualClock, duration: Double, model: String) {
        self.device = device
        self.clock = clock
        state = Locked(
            State(results: FleetResults(duration: duration), story: DeviceStory(device: device, model: model)))
    }

    var nextNumber: UInt64 { state.withLock { UInt64($0.book.entries.count + 1) } }

    func number(_ kind: RecordKind, _ priority: Priority, at time: UInt64) -> UInt64 {
        state.withLock { state in
            state.results.made[priority, default: 0] += 1
            return state.book.number(kind, priority, at: time)
        }
    }

    func keep(isAdmitted: Bool, at time: Double) {
        state.withLock { state in
            state.book.keep(isAdmitted: isAdmitted)
            if isAdmitted { state.results.bins[state.results.bin(at: time)].kept += 1 }
        }
    }

    func sampleOut(_ count: Int) { state.withLock { $0.book.sampleOut(count) } }

    func note(_ change: (inout FleetResults) -> Void) { state.withLock { change(&$0.results) } }

    func tell(_ change: (inout DeviceStory) -> Void) { state.withLock { change(&$0.story) } }

    func problem(_ text: String) {
        state.withLock { $0.results.problems.append(FleetResults.Problem(device: device, text: text)) }
    }

    func beginFlush() {
        state.withLock { state in
            state.ceilings = [:]
            state.results.flushes += 1
        }
    }

    /// Records that a request has reached the collector.
    func arrive(_ records: [ReceivedRecord], at time: Double, unacknowledged: RecordBook.UnacknowledgedReason?) {
        state.withLock { state in
            var heads: [RecordKind: Priority] = [:]
            for record in records {
                switch state.book.arrive(record, unacknowledged: unacknowledged) {
                case .first(let entry):
                    heads[entry.kind] = max(heads[entry.kind] ?? .low, entry.priority)
                    state.results.arrivals[entry.kind, default: 0] += 1
                    let made = clock.time(at: entry.time)
                    state.results.delays[entry.priority, default: DelayHistogram()].add(time - made)
                    state.results.bins[state.results.bin(at: time)].arrived += 1
                    state.story.arrivals.append(
                        DeviceStory.Arrival(
                            kind: entry.kind, priority: entry.priority, made: made, arrived: time))
                case .again(let cause):
                    let entry = state.book.entries[Int(record.number) - 1]
                    heads[entry.kind] = max(heads[entry.kind] ?? .low, entry.priority)
                    state.results.duplicates[cause, default: 0] += 1
                case .wrong(let text): state.results.problems.append(FleetResults.Problem(device: device, text: text))
                }
            }
            for (kind, head) in heads {
                if let ceiling = state.ceilings[kind], head > ceiling { state.results.urgencyViolations += 1 }
                state.ceilings[kind] = head
            }
        }
    }

    /// Compares the device's ledger with the record book while nothing is in progress.
    func audit(_ ledger: RecordLedger, at time: Double) {
        state.withLock { state in
            state.results.balanceChecks += 1
            state.ledger = ledger
            if state.story.waiting.last?.value != ledger.pending {
                state.story.waiting.append(DeviceStory.Change(time: time, value: ledger.pending))
            }
            let uncollected = (ledger.dropped[.sampledOut] ?? 0) + (ledger.dropped[.notAdmitted] ?? 0)
            var faults: [String] = []
            if !ledger.isBalanced { faults.append("the ledger is not balanced: \(ledger)") }
            if ledger.created - uncollected != state.book.kept {
                faults.append(
                    "\(state.book.kept) records were written, but the ledger has \(ledger.created - uncollected)")
            }
            if ledger.delivered != state.book.acknowledged {
                faults.append("\(state.book.acknowledged) were acknowledged, but the ledger has \(ledger.delivered)")
            }
            if uncollected > state.book.sampledOut + state.book.notAdmitted {
                faults.append("more records were dropped before collection than were made")
            }
            guard !faults.isEmpty, !state.isUnbalanced else { return }
            state.isUnbalanced = true
            for text in faults { state.results.problems.append(FleetResults.Problem(device: device, text: text)) }
        }
    }

    /// Records how much is waiting at the end of a bin; later times count for the last bin.
    func wait(in bin: Int) {
        state.withLock { state in
            let index = min(bin, state.results.bins.count - 1)
            state.results.bins[index].inJournal = state.ledger.inJournal
            state.results.bins[index].inQueue = state.ledger.inQueue
        }
    }

    /// Returns the results, after the device's last audit.
    func finish(_ traffic: VirtualNetwork.Traffic) -> FleetResults {
        state.withLock { state in
            var results = state.results
            results.devices = 1
            results.ledger = state.ledger
            results.orderViolations = state.book.orderViolations
            results.unbalancedDevices = state.isUnbalanced ? 1 : 0
            results.traffic = traffic
            results.uncounted = state.book.made - state.ledger.created
            results.story = state.story
            return results
        }
    }
}
