import FleetSimulator
import Foundation

/// The times at which people open the shop: rarely at night, most often in the evening.
struct VisitCalendar {
    private let sessions: Int
    private let begin: UInt64
    /// The share of all visits before each step, from 0 to 1.
    private let shares: [Double]

    private static let step = 900.0
    /// The last visits end before the end of the history.
    private static let margin = 1_500.0

    init(_ settings: HistorySettings) {
        sessions = settings.sessions
        begin = settings.end - UInt64(HistorySettings.length * 1e9)
        let steps = Int((HistorySettings.length - Self.margin) / Self.step)
        var sum = 0.0
        var sums = [0.0]
        for step in 0..<steps {
            let hour = (Double(begin) / 1e9 + Double(step) * Self.step) / 3_600
            sum += 1 + 0.7 * cos((hour - 19) / 24 * 2 * .pi)
            sums.append(sum)
        }
        shares = sums.map { $0 / sum }
    }

    /// The start of a session by its number. Later numbers start later.
    func start(of number: Int, chance: inout SeededRandom) -> UInt64 {
        let share = min((Double(number) + chance.unit()) / Double(sessions), 0.999_999)
        var (low, high) = (0, shares.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if shares[middle] <= share { low = middle } else { high = middle }
        }
        let within = (share - shares[low]) / (shares[high] - shares[low])
        return begin + UInt64((Double(low) + within) * Self.step * 1e9)
    }
}
