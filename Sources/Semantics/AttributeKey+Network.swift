/// The device's connection, and the protocol of a request.
extension AttributeKey {
    /// The type of the device's connection: `wifi`, `wired`, `cell`, `unavailable` or `unknown`.
    ///
    /// String, such as `wifi`. In development.
    public static let networkConnectionType = "network.connection.type"

    /// The technology within the type, chiefly of a cellular connection.
    ///
    /// String, such as `lte`. In development.
    public static let networkConnectionSubtype = "network.connection.subtype"

    /// The mobile carrier's name.
    ///
    /// String, such as `Telekom.de`. In development.
    public static let networkCarrierName = "network.carrier.name"

    /// The carrier's country by ISO 3166-1, in two letters.
    ///
    /// String, such as `DE`. In development.
    public static let networkCarrierICC = "network.carrier.icc"

    /// The carrier's mobile country code.
    ///
    /// String, such as `262`. In development.
    public static let networkCarrierMCC = "network.carrier.mcc"

    /// The carrier's mobile network code.
    ///
    /// String, such as `01`. In development.
    public static let networkCarrierMNC = "network.carrier.mnc"

    /// The application protocol, in lower case; absent for plain HTTP.
    ///
    /// String, such as `http`. Stable.
    public static let networkProtocolName = "network.protocol.name"

    /// The version that was negotiated.
    ///
    /// String, such as `1.1`. Stable.
    public static let networkProtocolVersion = "network.protocol.version"

    /// The address of the machine that was really reached, which a proxy makes differ from ``serverAddress``.
    ///
    /// String, such as `10.1.2.80`. Stable.
    public static let networkPeerAddress = "network.peer.address"

    /// The port that was really reached.
    ///
    /// Int, such as `8443`. Stable.
    public static let networkPeerPort = "network.peer.port"
}
