import AstrolabePlatform
public import AstrolabeTelemetryModel

/// Something that a person did or the device lived through, remembered for the error that may come after it.
public struct Breadcrumb: Equatable, Sendable {
    /// Nanoseconds since 1970.
    public let timeUnixNano: UInt64
    /// The category, such as `navigation`; the SDK's own are `network`, `lifecycle` and `tap`.
    public let category: String
    public let message: String
    public let attributes: Attributes

    /// Bytes of UTF-8 of a message and of the text of an attribute.
    static let textLimit = 256
    static let categoryLimit = 64
    static let attributeLimit = 8
    /// Bytes of a breadcrumb as JSON.
    static let encodedLimit = 1_024
}

extension RecordingCore {
    /// Remembers something for the next error, without secrets and within the limits of `Breadcrumb`; nothing while
    /// consent is denied.
    package func addBreadcrumb(_ message: String, category: String, attributes: Attributes = [:]) {
        guard let period = periods.permitted else { return }
        let (kept, _) = admitted(attributes, limit: Breadcrumb.attributeLimit)
        let bounded = kept.map { Attributes.Element(key: $0.key, value: Self.bounded($0.value)) }
        breadcrumbs.add(
            Breadcrumb(
                timeUnixNano: clock.now, category: admitted(category).truncated(toUTF8: Breadcrumb.categoryLimit),
                message: admitted(message).truncated(toUTF8: Breadcrumb.textLimit),
                attributes: Attributes(uniqueElements: bounded)), in: period)
    }

    /// A number or a truth value as it is, and of anything else the text.
    private static func bounded(_ value: AttributeValue) -> AttributeValue {
        switch value {
        case .bool, .int, .double: value
        case .empty, .string, .bytes, .array, .map:
            .string(value.description.truncated(toUTF8: Breadcrumb.textLimit))
        }
    }
}
