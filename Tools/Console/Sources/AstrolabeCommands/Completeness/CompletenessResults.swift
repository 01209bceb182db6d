import ConsoleModel
import Foundation

/// The differences between the completeness that a console showed and the truth.
struct CompletenessResults: Sendable {
    /// An hour as it looked some time later.
    struct Look: Sendable {
        /// Of the measured time.
        let hour: Int
        /// Hours after its end.
        let age: Int
        let shown: BucketCompleteness
        /// The share that had arrived.
        let truth: Double

        var error: Double { shown.share - truth }
    }

    let devices: Int
    let hours: Int
    let seed: UInt64
    private(set) var looks: [Look] = []

    /// The error that a share may have, and the share of hours that it must hold for.
    static let tolerance = 0.02
    static let wantedShare = 0.95

    init(devices: Int, hours: Int, seed: UInt64) {
        self.devices = devices
        self.hours = hours
        self.seed = seed
    }

    mutating func add(_ look: Look) { looks.append(look) }

    /// The share of the looks whose error is at most two points; 0 without a look.
    var shareWithinTolerance: Double { Self.shareWithinTolerance(looks) }

    private static func shareWithinTolerance(_ looks: [Look]) -> Double {
        looks.isEmpty ? 0 : Double(looks.count { abs($0.error) <= tolerance }) / Double(looks.count)
    }

    /// The distribution of the errors by age, and the largest ones, as lines of text.
    var table: String {
        let ages = Set(looks.map(\.age)).sorted()
        let rows = ages.map { age in row("\(age) h later", looks.filter { $0.age == age }) } + [row("all", looks)]
        let head = ["hours", "looks", "true", "within 2", "median", "p95", "largest", "mean error", "estimated"]
        let worst = looks.sorted { abs($0.error) > abs($1.error) }.prefix(5).map { look in
            [
                "hour \(look.hour), \(look.age) h later", Self.points(look.shown.share), Self.points(look.truth),
                Self.points(look.error), String(look.shown.silent), String(look.shown.pending),
            ]
        }
        return [
            "\(devices) phones, \(hours) h, seed \(seed). Shares are in percent, errors in points.",
            QueryTable.aligned([head] + rows, isNumber: head.indices.map { $0 > 0 }),
            QueryTable.aligned(
                [["largest errors", "shown", "true", "error", "silent", "pending"]] + worst,
                isNumber: (0..<6).map { $0 > 0 }),
        ].joined(separator: "\n\n")
    }

    private func row(_ title: String, _ looks: [Look]) -> [String] {
        let errors = looks.map { abs($0.error) }.sorted()
        func quantile(_ share: Double) -> Double {
            errors.isEmpty ? 0 : errors[min(Int(share * Double(errors.count)), errors.count - 1)]
        }
        let count = Double(max(looks.count, 1))
        return [
            title, String(looks.count), Self.points(looks.reduce(0) { $0 + $1.truth } / count),
            Self.points(Self.shareWithinTolerance(looks)), Self.points(quantile(0.5)), Self.points(quantile(0.95)),
            Self.points(errors.last ?? 0), Self.points(looks.reduce(0) { $0 + $1.error } / count),
            Self.points(Double(looks.count { $0.shown.isEstimated }) / count),
        ]
    }

    /// Writes a share in percent with two digits behind the point.
    private static func points(_ share: Double) -> String { String(format: "%.2f", share * 100) }
}
