/// The entity that produced telemetry: an app on a device, or a service.
public struct Resource: Hashable, Sendable {
    /// Attributes that identify it, such as `service.name`.
    public var attributes: Attributes
    /// The number of attributes that were left out because of a limit.
    public var droppedAttributesCount: UInt32

    /// Creates a resource.
    public init(attributes: Attributes = [:], droppedAttributesCount: UInt32 = 0) {
        self.attributes = attributes
        self.droppedAttributesCount = droppedAttributesCount
    }
}

/// The library, with its version, that recorded something.
public struct InstrumentationScope: Hashable, Sendable {
    public var name: String
    public var version: String
    /// The schema that its records follow; empty if none is named. OTLP has it beside the scope, so that of a decoded
    /// request is `ScopeGroup.schemaURL`, and this one is empty.
    public var schemaURL: String
    public var attributes: Attributes
    public var droppedAttributesCount: UInt32

    public init(
        name: String, version: String = "", schemaURL: String = "", attributes: Attributes = [:],
        droppedAttributesCount: UInt32 = 0,
    ) {
        self.name = name
        self.version = version
        self.schemaURL = schemaURL
        self.attributes = attributes
        self.droppedAttributesCount = droppedAttributesCount
    }
}

/// Records of one scope, as OTLP groups them (`ScopeSpans`, `ScopeLogs`, `ScopeMetrics`).
public struct ScopeGroup<Record: Sendable & Hashable>: Hashable, Sendable {
    public var scope: InstrumentationScope
    public var schemaURL: String
    public var records: [Record]

    public init(scope: InstrumentationScope, schemaURL: String = "", records: [Record] = []) {
        self.scope = scope
        self.schemaURL = schemaURL
        self.records = records
    }
}

/// Scopes of one resource, as OTLP groups them (`ResourceSpans`, `ResourceLogs`, `ResourceMetrics`).
public struct ResourceGroup<Record: Sendable & Hashable>: Hashable, Sendable {
    public var resource: Resource
    public var schemaURL: String
    public var scopes: [ScopeGroup<Record>]

    public init(resource: Resource, schemaURL: String = "", scopes: [ScopeGroup<Record>] = []) {
        self.resource = resource
        self.schemaURL = schemaURL
        self.scopes = scopes
    }

    public var recordCount: Int { scopes.reduce(0) { $0 + $1.records.count } }
}
