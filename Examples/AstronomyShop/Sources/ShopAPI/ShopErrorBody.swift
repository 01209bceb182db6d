/// The body of every response without a 2xx status: `{"error": "item.quantity: expected a whole number"}`.
///
/// The text is for people. Where a request's input was at fault, it begins with the name of the field.
public struct ShopErrorBody: Codable, Hashable, Sendable {
    public let error: String

    public init(error: String) {
        self.error = error
    }
}
