/// How the device reaches the network, if it does.
public struct NetworkPath: Hashable, Sendable {
    /// What carries the path.
    public enum Medium: String, Codable, Hashable, Sendable, CaseIterable {
        case wifi
        case cellular
        case ethernet
        /// There is a path, but nothing says over what: a tunnel, or a system that does not tell.
        case unknown
        /// There is no path.
        case offline
    }

    public var medium: Medium
    /// The technology of the cell, where the system tells it.
    public var radio: RadioTechnology?
    /// Costs its owner money or allowance: cellular, or a personal hotspot over Wi-Fi.
    public var isExpensive: Bool
    /// The user asked for little traffic: Low Data Mode.
    public var isConstrained: Bool
    /// The mobile network operator. Apple's systems stopped telling it with iOS 16.4.
    public var carrierName: String?

    /// Where `isExpensive` is not given, cellular paths are expensive and others are not.
    public init(
        _ medium: Medium,
        radio: RadioTechnology? = nil,
        isExpensive: Bool? = nil,
        isConstrained: Bool = false,
        carrierName: String? = nil,
    ) {
        self.medium = medium
        self.radio = radio
        self.isExpensive = isExpensive ?? (medium == .cellular)
        self.isConstrained = isConstrained
        self.carrierName = carrierName
    }

    public static let unknown = NetworkPath(.unknown)
    public static let offline = NetworkPath(.offline)
    public static let wifi = NetworkPath(.wifi)
    public static let ethernet = NetworkPath(.ethernet)
    public static let cellular = NetworkPath(.cellular)

    /// Whether anything can be sent at all. An unknown path counts as one: trying tells.
    public var isOnline: Bool { medium != .offline }
}

extension NetworkPath: Codable {
    private enum CodingKeys: String, CodingKey {
        case medium = "type"
        case radio = "subtype"
        case isExpensive = "expensive"
        case isConstrained = "constrained"
        case carrierName = "carrier"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(Medium.self, forKey: .medium),
            radio: try container.decodeIfPresent(RadioTechnology.self, forKey: .radio),
            isExpensive: try container.decodeIfPresent(Bool.self, forKey: .isExpensive),
            isConstrained: try container.decodeIfPresent(Bool.self, forKey: .isConstrained) ?? false,
            carrierName: try container.decodeIfPresent(String.self, forKey: .carrierName),
        )
    }
}

extension NetworkPath {
    /// The path in the names and values of the semantic conventions, for records made while it lasts.
    public var attributes: [String: ContextValue] {
        var attributes: [String: ContextValue] = ["network.connection.type": .string(conventionalType)]
        if let radio { attributes["network.connection.subtype"] = .string(radio.rawValue) }
        if let carrierName { attributes["network.carrier.name"] = .string(carrierName) }
        return attributes
    }

    private var conventionalType: String {
        switch medium {
        case .wifi: "wifi"
        case .cellular: "cell"
        case .ethernet: "wired"
        case .unknown: "unknown"
        case .offline: "unavailable"
        }
    }
}
