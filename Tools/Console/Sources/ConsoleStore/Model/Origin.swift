import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// Where records come from: an app on a device, or a service. One OTLP resource.
package struct Origin: Sendable, Hashable, Identifiable {
    package let id: Int64
    /// `service.name`, or "unknown_service".
    package let service: String
    package let side: OriginSide
    /// The resource's attributes as JSON, as `JSONText` writes them.
    package let attributesText: String

    package var attributes: Attributes { JSONText.attributes(in: attributesText) ?? [:] }
}

/// What a person wants to know of a device and an app at first sight.
package struct DeviceFacts: Sendable, Hashable {
    /// `app.installation.id`; empty where it is absent or too long to be looked up by.
    package var installation = ""
    package var service = ""
    package var appVersion = ""
    package var manufacturer = ""
    package var modelIdentifier = ""
    package var modelName = ""
    package var systemName = ""
    package var systemVersion = ""

    /// Characters that the id of an installation may have.
    static let idLimit = 256

    package init() {}

    package init(_ attributes: Attributes) {
        func text(_ key: String) -> String { attributes[key]?.stringValue ?? "" }
        let id = text(AttributeKey.appInstallationID)
        if id.unicodeScalars.count <= Self.idLimit { installation = id }
        service = text(AttributeKey.serviceName)
        appVersion = text(AttributeKey.serviceVersion)
        manufacturer = text(AttributeKey.deviceManufacturer)
        modelIdentifier = text(AttributeKey.deviceModelIdentifier)
        modelName = text(AttributeKey.deviceModelName)
        systemName = text(AttributeKey.osName)
        systemVersion = text(AttributeKey.osVersion)
    }
}
