/// The amount of telemetry that is collected, from most to least.
public enum TelemetryMode: String, Hashable, Sendable, CaseIterable {
    /// Everything, for a device on external power.
    case full
    /// Everything, with sampled traces.
    case normal
    /// Errors, crashes, what the app logs from severity info on, and a small share of traces.
    case reduced
    /// Errors, crashes, and what the app logs from severity info on.
    case minimal

    /// The number of metric intervals between two collections: fewer collections, each with what came in between.
    package var metricIntervalFactor: Int {
        switch self {
        case .full, .normal: 1
        case .reduced: 5
        case .minimal: 15
        }
    }

    /// The next mode that collects less; `nil` for minimal.
    package var lower: TelemetryMode? {
        switch self {
        case .full: .normal
        case .normal: .reduced
        case .reduced: .minimal
        case .minimal: nil
        }
    }

    /// The next mode that collects more; `nil` for full.
    package var higher: TelemetryMode? {
        switch self {
        case .full: nil
        case .normal: .full
        case .reduced: .normal
        case .minimal: .reduced
        }
    }
}

extension TelemetryMode: Comparable {
    /// A lower mode collects less.
    public static func < (left: TelemetryMode, right: TelemetryMode) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .minimal: 0
        case .reduced: 1
        case .normal: 2
        case .full: 3
        }
    }
}

/// One value for each mode.
public struct ModeTable<Value> {
    /// The value in full mode.
    public var full: Value
    /// The value in normal mode.
    public var normal: Value
    /// The value in reduced mode.
    public var reduced: Value
    /// The value in minimal mode.
    public var minimal: Value

    /// Creates a table of the four values.
    public init(full: Value, normal: Value, reduced: Value, minimal: Value) {
        self.full = full
        self.normal = normal
        self.reduced = reduced
        self.minimal = minimal
    }

    /// The value in a mode.
    package subscript(mode: TelemetryMode) -> Value {
        switch mode {
        case .full: full
        case .normal: normal
        case .reduced: reduced
        case .minimal: minimal
        }
    }

    /// Returns a table in which no lower mode has a better value than the mode above it.
    func ordered(_ worse: (Value, Value) -> Value) -> ModeTable {
        let normal = worse(normal, full)
        let reduced = worse(reduced, normal)
        return ModeTable(full: full, normal: normal, reduced: reduced, minimal: worse(minimal, reduced))
    }
}

extension ModeTable: Sendable where Value: Sendable {}
extension ModeTable: Equatable where Value: Equatable {}
