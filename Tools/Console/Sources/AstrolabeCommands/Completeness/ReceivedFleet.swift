import ConsoleModel
import FleetSimulator

/// All that a console receives of a fleet, by slot, so that it can be seen as it was at any time.
struct ReceivedFleet: Sendable {
    private struct Key: Hashable {
        let slot: Int64
        /// `nil` for records that never arrive.
        let arrival: Int64?
        let isEvidence: Bool
    }

    fileprivate struct Phone: Sendable {
        let firstReport: Int64
        let reports: [Report]
    }

    fileprivate struct Report: Sendable {
        let time: Int64
        let held: Int
        let heldFrom: Int64
        let heldTo: Int64
    }

    /// Nanoseconds since 1970.
    private let start: Int64
    private var records: [Key: Int] = [:]
    private var phones: [Phone] = []

    init(start: Int64) { self.start = start }

    mutating func add(_ phone: PhoneArrivals) {
        let reports = phone.reports.map {
            Report(time: time($0.time), held: $0.held, heldFrom: time($0.heldFrom), heldTo: time($0.heldTo))
        }
        let first = reports.first?.time ?? .max
        for batch in phone.batches {
            let arrived = batch.arrived.map { time($0) }
            let key = Key(
                slot: time(batch.recorded) / ArrivalFacts.slot, arrival: arrived.map { $0 / ArrivalFacts.slot },
                isEvidence: arrived.map { $0 - first >= ArrivalFacts.trial } ?? false)
            records[key, default: 0] += batch.records
        }
        if !reports.isEmpty { phones.append(Phone(firstReport: first, reports: reports)) }
    }

    private func time(_ seconds: Double) -> Int64 { start + Int64(seconds * 1e9) }

    /// Returns what a console knows at a time, which is the start of a slot.
    func facts(at now: Int64) -> ArrivalFacts {
        let present = now / ArrivalFacts.slot
        var facts = ArrivalFacts()
        for (key, count) in records {
            guard let arrival = key.arrival, arrival < present else { continue }
            facts.cells.append(
                ArrivalFacts.Cell(slot: key.slot, arrival: arrival, isEvidence: key.isEvidence, records: count))
        }
        for phone in phones {
            guard let last = phone.lastReport(before: now) else { continue }
            facts.phones.append(
                ArrivalFacts.Phone(
                    firstReport: phone.firstReport, lastReport: last.time, held: last.held, heldFrom: last.heldFrom,
                    heldTo: last.heldTo))
        }
        return facts
    }

    /// Returns the share of the records of a time that has arrived at another, both at the start of a slot; `nil` if
    /// there is no record.
    func share(from: Int64, to: Int64, at now: Int64) -> Double? {
        let slots = from / ArrivalFacts.slot..<to / ArrivalFacts.slot
        var (arrived, all) = (0, 0)
        for (key, count) in records where slots.contains(key.slot) {
            all += count
            if let arrival = key.arrival, arrival < now / ArrivalFacts.slot { arrived += count }
        }
        return all > 0 ? Double(arrived) / Double(all) : nil
    }
}

extension ReceivedFleet.Phone {
    fileprivate func lastReport(before now: Int64) -> ReceivedFleet.Report? {
        var (low, high) = (0, reports.count)
        while low < high {
            let middle = (low + high) / 2
            if reports[middle].time < now { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? reports[low - 1] : nil
    }
}
