import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// The attributes of a record that the console indexes, read in one pass.
///
/// Reads the current and the previous names of the semantic conventions: `http.request.method` and `http.method`,
/// `http.response.status_code` and `http.status_code`.
package struct IndexedAttributes: Sendable {
    package var session: String?
    package var screen: String?
    package var recordUID: String?
    /// The trigger for which the flight recorder sent the record; `nil` for any other record.
    package var trigger: String?
    package var hasHTTPMethod = false
    package var hasViewName = false
    package var httpStatus: Int64 = 0

    /// The maximum length of the names of sessions, screens and triggers. Longer names are ignored.
    package static let nameLimit = 256

    package init(_ attributes: Attributes) {
        for element in attributes where Self.mayMatter(element.key) {
            switch element.key {
            case AttributeKey.sessionID: session = Self.name(element.value)
            case AttributeKey.appScreenName: screen = Self.name(element.value)
            case AttributeKey.logRecordUID: recordUID = element.value.stringValue
            case AttributeKey.astrolabeRecorderTrigger: trigger = Self.name(element.value)
            case AttributeKey.viewName: hasViewName = true
            case AttributeKey.httpRequestMethod, AttributeKey.httpMethod: hasHTTPMethod = true
            case AttributeKey.httpResponseStatusCode, AttributeKey.httpStatusCode:
                httpStatus = element.value.intValue ?? 0
            default: break
            }
        }
    }

    /// A bit mask of the lengths of all keys above. Comparing lengths first avoids most string comparisons.
    private static let lengths: UInt64 = [
        AttributeKey.sessionID, AttributeKey.appScreenName, AttributeKey.logRecordUID, AttributeKey.viewName,
        AttributeKey.httpRequestMethod, AttributeKey.httpMethod, AttributeKey.httpResponseStatusCode,
        AttributeKey.httpStatusCode, AttributeKey.astrolabeRecorderTrigger,
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
    /// Reads a resource. It is a device if it names a model, a manufacturer, an installation or an operating system.
    package init(_ resource: Resource) {
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

    /// The values of `os.name`, in lower case, that make a resource a device.
    package static let mobileSystems: Set<String> = ["ios", "ipados", "watchos", "tvos", "visionos", "android"]
}
