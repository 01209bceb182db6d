import Foundation

/// Counts equal refusals, of which the audit log has one line in a minute.
///
/// Refusals are equal if they have the same reason, the same key and the same network: one host has as many IPv6
/// addresses as it wants.
struct RefusalCounts: Sendable {
    /// The time in seconds for which one line stands.
    static let window: TimeInterval = 60
    /// The number of different refusals at a time. Further ones are counted by their reason alone.
    static let limit = 1_000

    /// A line that was written, and the equal refusals since.
    private struct Repetition {
        let line: AuditLog.Entry
        var count = 0
    }

    private var repetitions: [String: Repetition] = [:]
    private var swept = Date.distantPast

    /// Takes a refusal.
    ///
    /// - Returns: The lines to write. None if an equal one was written within the window.
    mutating func take(_ refusal: AuditLog.Entry) -> [AuditLog.Entry] {
        var line = refusal
        line.address = refusal.address.map { ClientAddress($0).host }
        let overdue = sweep(at: line.time, except: Self.name(line))
        if repetitions[Self.name(line)] == nil, repetitions.count >= Self.limit {
            line.address = nil
            line.key = nil
        }
        let name = Self.name(line)
        if let known = repetitions[name], !Self.isOver(since: known.line.time, at: line.time) {
            repetitions[name]?.count += 1
            return overdue
        }
        line.count = (repetitions[name]?.count ?? 0) + 1
        repetitions[name] = Repetition(line: line)
        return overdue + [line]
    }

    /// Forgets the refusals whose window is over, at most once in a window.
    ///
    /// - Returns: A line for each that was repeated, with the number of its repetitions.
    mutating func sweep(at time: Date, except name: String? = nil) -> [AuditLog.Entry] {
        guard Self.isOver(since: swept, at: time) else { return [] }
        swept = time
        return forget(at: time) { $0 != name && Self.isOver(since: $1.line.time, at: time) }
    }

    /// Forgets all refusals, and returns the lines as ``sweep(at:except:)`` does.
    mutating func end(at time: Date) -> [AuditLog.Entry] { forget(at: time) { _, _ in true } }

    private mutating func forget(
        at time: Date, if isOver: (_ name: String, Repetition) -> Bool,
    ) -> [AuditLog.Entry] {
        var lines: [AuditLog.Entry] = []
        for (name, repetition) in repetitions where isOver(name, repetition) {
            repetitions[name] = nil
            guard repetition.count > 0 else { continue }
            let first = repetition.line
            var line = AuditLog.Entry(
                first.event, key: first.key, address: first.address, detail: first.detail, at: time)
            line.count = repetition.count
            lines.append(line)
        }
        return lines
    }

    /// A clock that was set back ends a window too, so that no refusal is silent until the clock is there again.
    private static func isOver(since start: Date, at time: Date) -> Bool {
        abs(time.timeIntervalSince(start)) >= window
    }

    private static func name(_ entry: AuditLog.Entry) -> String {
        [entry.address, entry.key, entry.detail].map { $0 ?? "" }.joined(separator: " ")
    }
}
