/// The body of every answer that is not a success: `{"error": "item.quantity: expected a whole number"}`.
///
/// The text is for people. Where a request's input was at fault, it begins with the name of the field.
public struct ShopErrorBody: Codable, Hashable, Sendable {
    public let error: String

    public init(error: String) {
        self.error = error
    }
}
