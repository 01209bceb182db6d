/// The state of the battery and the power settings.
public struct Power: Equatable, Sendable {
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case charging
        /// On external power and charged.
        case full
        case unplugged
        case unknown
    }

    /// 0...1, or `nil` if the system does not report it (UIDevice's -1), which is not treated as low.
    public private(set) var level: Double?
    public var source: Source
    /// Low Power Mode, Battery Saver, or Linux's `low-power` platform profile.
    public var isLowPowerMode: Bool

    /// Creates a state. A level below 0 or NaN means unknown; one above 1 becomes 1.
    public init(level: Double? = nil, source: Source = .unknown, isLowPowerMode: Bool = false) {
        self.level = level.flatMap { $0 >= 0 ? min($0, 1) : nil }
        self.source = source
        self.isLowPowerMode = isLowPowerMode
    }

    public static let unknown = Power()

    /// True if the device runs on external power, so that the battery level does not matter.
    public var isExternal: Bool { source == .charging || source == .full }
}

extension Power: Codable {
    private enum CodingKeys: String, CodingKey {
        case level
        case source = "state"
        case isLowPowerMode = "lowPowerMode"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            level: try container.decodeIfPresent(Double.self, forKey: .level),
            source: try container.decodeIfPresent(Source.self, forKey: .source) ?? .unknown,
            isLowPowerMode: try container.decodeIfPresent(Bool.self, forKey: .isLowPowerMode) ?? false,
        )
    }
}
