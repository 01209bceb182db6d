/// The address that an order is sent to.
///
/// It tells where a person lives, so it says nothing about itself in a log: its description is redacted.
public struct Address: Codable, Hashable, Sendable {
    public let streetAddress: String
    public let city: String
    public let state: String
    public let country: String
    public let zipCode: String

    public init(streetAddress: String, city: String, state: String, country: String, zipCode: String) {
        self.streetAddress = streetAddress
        self.city = city
        self.state = state
        self.country = country
        self.zipCode = zipCode
    }
}

extension Address: Redacted {
    public var description: String { "Address(redacted)" }
}
