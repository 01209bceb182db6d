import AstrolabePlatform
import Foundation

/// The progress of a simulation as one line.
public final class FleetProgressLine: Sendable {
    private let start = Date()
    private let last = Locked(-1)

    public init() {}

    /// Returns the line for a terminal or a log. Returns `nil` unless progress has reached the next hundredth on a
    /// terminal, or the next tenth in a log.
    public func text(for progress: FleetProgress, isTerminal: Bool) -> String? {
        let steps = isTerminal ? 100 : 10
        let step = progress.devices * steps / max(progress.of, 1)
        let isNew = last.withLock { last in
            guard step > last else { return false }
            last = step
            return true
        }
        guard isNew else { return nil }
        let counts =
            "\(NumberFormatting.count(progress.devices)) of \(NumberFormatting.count(progress.of)) phones, "
            + "\(NumberFormatting.count(progress.records)) records"
        guard isTerminal else { return counts }
        let elapsed = Date().timeIntervalSince(start)
        let left = elapsed / Double(max(progress.devices, 1)) * Double(progress.of - progress.devices)
        let full = progress.devices * Self.width / max(progress.of, 1)
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        return "\(bar) \(counts), \(NumberFormatting.duration(left)) left"
    }

    private static let width = 30
}
