/// A line of advertising and where it leads.
public struct Advertisement: Codable, Hashable, Sendable {
    /// A path within the shop: "/product/2ZYFJ3GM2N".
    public let redirectUrl: String
    public let text: String

    public init(redirectUrl: String, text: String) {
        self.redirectUrl = redirectUrl
        self.text = text
    }
}
