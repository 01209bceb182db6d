import AstrolabeSemantics
import AstrolabeTelemetryModel

extension PreparedBatch {
    /// Lists a resource and returns its index.
    mutating func add(_ resource: Resource) -> Int32 {
        let attributes = Self.canonicalText(resource.attributes)
        let facts = IndexedAttributes(resource.attributes)
        resources.append(
            ResourceRow(
                hash: StableHash(attributes),
                service: resource.attributes[AttributeKey.serviceName]?.stringValue ?? "unknown_service",
                side: OriginSide(resource),
                attributes: attributes,
                session: sessions.index(of: facts.session),
            )
        )
        return Int32(resources.count - 1)
    }

    mutating func add(_ scope: InstrumentationScope) -> Int32 {
        let attributes = Self.canonicalText(scope.attributes)
        var identity = JSONText()
        identity.append(scope.name)
        identity.append(scope.version)
        identity.append(json: attributes)
        scopes.append(
            ScopeRow(
                hash: StableHash(identity.string), name: scope.name, version: scope.version, attributes: attributes,
            )
        )
        return Int32(scopes.count - 1)
    }

    /// Appends whatever `write` appends to the buffer and returns where it lies.
    mutating func slice(_ write: (inout JSONText) -> Void) -> Slice {
        let start = text.bytes.count
        write(&text)
        return Slice(start: Int32(start), count: Int32(text.bytes.count - start))
    }

    /// Plain text without quotes or escapes, for a name.
    mutating func slice(plain name: String) -> Slice {
        slice { $0.append(json: name) }
    }

    /// A JSON object, or nothing where there are no attributes.
    mutating func slice(_ attributes: Attributes) -> Slice {
        attributes.isEmpty ? Slice() : slice { $0.append(attributes) }
    }

    /// The same text for the same attributes in any order.
    static func canonicalText(_ attributes: Attributes) -> String {
        var text = JSONText()
        text.append(Attributes(uniqueElements: attributes.sorted { $0.key < $1.key }))
        return text.string
    }
}
