import TelemetryModel

/// What the console reads out of a record's attributes, gathered in one pass.
///
/// Both the stable names of the semantic conventions and the ones before them count: `http.request.method` and
/// `http.method`, `http.response.status_code` and `http.status_code`.
struct KeyFacts {
    var session: String?
    var screen: String?
    var recordUID: String?
    var hasHTTPMethod = false
    var hasViewName = false
    var httpStatus: Int64 = 0

    /// Longer names of sessions and screens are not believed: they cannot be looked up in a list.
    static let nameLimit = 256

    init(_ attributes: Attributes) {
        for element in attributes {
            switch element.key.utf8.count {
            case 9 where element.key == "view.name": hasViewName = true
            case 10 where element.key == "session.id": session = Self.name(element.value)
            case 11 where element.key == "http.method": hasHTTPMethod = true
            case 14 where element.key == "log.record.uid": recordUID = element.value.stringValue
            case 15 where element.key == "app.screen.name": screen = Self.name(element.value)
            case 16 where element.key == "http.status_code": httpStatus = element.value.intValue ?? 0
            case 19 where element.key == "http.request.method": hasHTTPMethod = true
            case 25 where element.key == "http.response.status_code": httpStatus = element.value.intValue ?? 0
            default: break
            }
        }
    }

    private static func name(_ value: AttributeValue) -> String? {
        guard let text = value.stringValue, !text.isEmpty, text.utf8.count <= nameLimit else { return nil }
        return text
    }
}

extension Lane {
    /// A resource is a device's when it says so: by its model, its manufacturer, its installation, or its system.
    init(_ resource: Resource) {
        let isDevice = resource.attributes.contains { element in
            switch element.key {
            case "device.model.identifier", "device.model.name", "device.manufacturer", "device.id",
                "app.installation.id":
                true
            case "os.name": Self.mobileSystems.contains(element.value.stringValue?.lowercased() ?? "")
            default: false
            }
        }
        self = isDevice ? .device : .backend
    }

    private static let mobileSystems: Set<String> = ["ios", "ipados", "watchos", "tvos", "visionos", "android"]
}
