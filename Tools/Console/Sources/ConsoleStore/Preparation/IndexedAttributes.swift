import AstrolabeSemantics
import AstrolabeTelemetryModel

/// What the console reads out of a record's attributes, gathered in one pass.
///
/// Both the stable names of the semantic conventions and the ones before them count: `http.request.method` and
/// `http.method`, `http.response.status_code` and `http.status_code`.
struct IndexedAttributes {
    var session: String?
    var screen: String?
    var recordUID: String?
    var hasHTTPMethod = false
    var hasViewName = false
    var httpStatus: Int64 = 0

    /// Longer names of sessions and screens are not believed: they cannot be looked up in a list.
    static let nameLimit = 256

    init(_ attributes: Attributes) {
        for element in attributes where Self.mayMatter(element.key) {
            switch element.key {
            case AttributeKey.sessionID: session = Self.name(element.value)
            case AttributeKey.appScreenName: screen = Self.name(element.value)
            case AttributeKey.logRecordUID: recordUID = element.value.stringValue
            case AttributeKey.viewName: hasViewName = true
            case AttributeKey.httpRequestMethod, AttributeKey.httpMethod: hasHTTPMethod = true
            case AttributeKey.httpResponseStatusCode, AttributeKey.httpStatusCode:
                httpStatus = element.value.intValue ?? 0
            default: break
            }
        }
    }

    /// One bit for each length that a key above has: comparing lengths first spares most comparisons of text.
    private static let lengths: UInt64 = [
        AttributeKey.sessionID, AttributeKey.appScreenName, AttributeKey.logRecordUID, AttributeKey.viewName,
        AttributeKey.httpRequestMethod, AttributeKey.httpMethod, AttributeKey.httpResponseStatusCode,
        AttributeKey.httpStatusCode,
    ].reduce(0) { $0 | 1 << UInt64($1.utf8.count) }

    private static func mayMatter(_ key: String) -> Bool {
        lengths >> UInt64(key.utf8.count) & 1 == 1
    }

    private static func name(_ value: AttributeValue) -> String? {
        guard let text = value.stringValue, !text.isEmpty, text.utf8.count <= nameLimit else { return nil }
        return text
    }
}

extension OriginSide {
    /// A resource is a device's when it says so: by its model, its manufacturer, its installation, or its system.
    init(_ resource: Resource) {
        let isDevice = resource.attributes.contains { element in
            switch element.key {
            case AttributeKey.deviceModelIdentifier, AttributeKey.deviceModelName, AttributeKey.deviceManufacturer,
                AttributeKey.appInstallationID:
                true
            case AttributeKey.osName: Self.mobileSystems.contains(element.value.stringValue?.lowercased() ?? "")
            default: false
            }
        }
        self = isDevice ? .device : .backend
    }

    private static let mobileSystems: Set<String> = ["ios", "ipados", "watchos", "tvos", "visionos", "android"]
}
