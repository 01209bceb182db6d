/// The battery and what the user asked of it.
public struct Power: Hashable, Sendable {
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case charging
        /// On external power and charged.
        case full
        case unplugged
        case unknown
    }

    /// 0...1, or `nil` where the system does not tell (UIDevice's -1), which is neutral and not low.
    public private(set) var level: Double?
    public var source: Source
    /// Low Power Mode, Battery Saver, or Linux's `low-power` platform profile.
    public var isLowPowerMode: Bool

    /// A level under 0 or that is not a number means unknown; one over 1 counts as 1.
    public init(level: Double? = nil, source: Source = .unknown, isLowPowerMode: Bool = false) {
        self.level = level.flatMap { $0 >= 0 ? min($0, 1) : nil }
        self.source = source
        self.isLowPowerMode = isLowPowerMode
    }

    public static let unknown = Power()

    /// Whether energy comes from outside, so that what the battery holds does not matter.
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
