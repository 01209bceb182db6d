import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// The origin of records: an app on a device, or a service. Each origin is one OTLP resource.
package struct Origin: Sendable, Hashable, Identifiable {
    package let id: Int64
    /// The value of `service.name`, or "unknown_service".
    package let service: String
    package let side: OriginSide
    /// The resource's attributes as JSON written by `JSONText`.
    package let attributesText: String
    /// The URL of the schema of the resource's attributes; empty if there is none.
    package let schemaURL: String
    package let droppedAttributes: Int

    package init(
        id: Int64, service: String, side: OriginSide, attributesText: String, schemaURL: String, droppedAttributes: Int,
    ) {
        self.id = id
        self.service = service
        self.side = side
        self.attributesText = attributesText
        self.schemaURL = schemaURL
        self.droppedAttributes = droppedAttributes
    }

    package var attributes: Attributes { JSONText.attributes(in: attributesText) ?? [:] }
}

/// The instrumentation scope of records: the library that recorded them.
package struct Scope: Sendable, Hashable, Identifiable {
    package let id: Int64
    package let name: String
    package let version: String
    package let attributesText: String
    /// The URL of the schema of the records; empty if there is none.
    package let schemaURL: String
    package let droppedAttributes: Int

    package init(
        id: Int64, name: String, version: String, attributesText: String, schemaURL: String, droppedAttributes: Int,
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.attributesText = attributesText
        self.schemaURL = schemaURL
        self.droppedAttributes = droppedAttributes
    }
}

/// The main properties of a device and an app.
package struct DeviceFacts: Sendable, Hashable {
    /// The value of `app.installation.id`; empty if it is missing or too long.
    package var installation = ""
    package var service = ""
    package var appVersion = ""
    package var manufacturer = ""
    package var modelIdentifier = ""
    package var modelName = ""
    package var systemName = ""
    package var systemVersion = ""
    /// The name of its time zone in the IANA database.
    package var timeZone = ""
    /// The hash of the remote policy that it follows; empty without one.
    package var policyVersion = ""

    /// The maximum length of an installation id in characters.
    package static let idLimit = 256

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
        timeZone = text("astrolabe.device.timezone")
        policyVersion = text(AttributeKey.astrolabePolicyVersion)
    }
}
