import HTTPTypes

/// The consoles that a request has come through, the first one first. Their ids are in a header of forwarded requests.
///
///     Astrolabe-Hops: 9f86d081884c7d65, 2c26b46b68ffc68f
struct ForwardingHops: Sendable, Hashable {
    /// The number of consoles in a row after which a request is not forwarded: more than anyone needs.
    static let limit = 8
    static let header = "Astrolabe-Hops"
    private static let field = HTTPField.Name(header) ?? .via
    private static let idLength = 16

    private let ids: [String]

    /// - Parameter fields: The headers of a request, or the metadata of a gRPC call. What is no id is left out, because
    ///   the header is sent on.
    init(_ fields: HTTPFields) { self.init(fields[values: Self.field].joined(separator: ",")) }

    /// - Parameter text: The value of the header.
    init(_ text: String) {
        let ids = text.split(separator: ",").lazy.map { String($0.drop { $0 == " " }) }
            .filter { $0.utf8.count == Self.idLength && $0.utf8.allSatisfy(Self.isDigit) }
        self.ids = Array(ids.prefix(Self.limit))
    }

    /// Returns whether a console may forward the request: it has not done so, and there were not too many before it.
    func permit(_ id: String) -> Bool { ids.count < Self.limit && !ids.contains(id) }

    /// The value of the header for a request that a console with an id forwards.
    func value(addedBy id: String) -> String { (ids + [id]).joined(separator: ", ") }

    /// The value of the header; empty if there are no hops.
    var value: String { ids.joined(separator: ", ") }

    /// Makes the id of a console: 16 hexadecimal digits.
    static func makeID() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: idLength - digits.count) + digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
