import AstrolabeSemantics
import AstrolabeTelemetryModel

extension PreparedBatch {
    /// Adds a resource and returns its index.
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

    /// Appends what `write` writes to the buffer and returns its position.
    mutating func slice(_ write: (inout JSONText) -> Void) -> Slice {
        let start = text.bytes.count
        write(&text)
        return Slice(start: Int32(start), count: Int32(text.bytes.count - start))
    }

    /// Appends a name as plain text without quotes or escapes.
    mutating func slice(plain name: String) -> Slice {
        slice { $0.append(json: name) }
    }

    /// Appends attributes as a JSON object, or nothing if there are none.
    mutating func slice(_ attributes: Attributes) -> Slice {
        attributes.isEmpty ? Slice() : slice { $0.append(attributes) }
    }

    /// Returns text that is the same for equal attributes in any order.
    static func canonicalText(_ attributes: Attributes) -> String {
        var text = JSONText()
        text.append(Attributes(uniqueElements: attributes.sorted { $0.key < $1.key }))
        return text.string
    }
}
