/// The device's connection to the network, if there is one.
public struct NetworkPath: Equatable, Sendable {
    /// The physical medium of the path.
    public enum Medium: String, Codable, Hashable, Sendable, CaseIterable {
        case wifi
        case cellular
        case ethernet
        /// There is a path over an unknown medium, such as a tunnel.
        case unknown
        /// There is no path.
        case offline
    }

    public var medium: Medium
    /// The cellular technology, if the system reports it.
    public var radio: RadioTechnology?
    /// True if traffic may cost money or allowance: cellular, or a personal hotspot over Wi-Fi.
    public var isExpensive: Bool
    /// True if the user requested less traffic: Low Data Mode.
    public var isConstrained: Bool
    /// The mobile network operator. Apple platforms do not report it since iOS 16.4.
    public var carrierName: String?

    /// Creates a path. By default, cellular paths are expensive and others are not.
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

    /// True if anything can be sent. An unknown path counts as online.
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
    /// The path's attributes by the semantic conventions, for records made while it lasts.
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
