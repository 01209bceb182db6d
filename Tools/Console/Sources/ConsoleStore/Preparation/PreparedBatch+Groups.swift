import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

extension PreparedBatch {
    /// Adds a resource and returns its index.
    mutating func add(_ resource: Resource, schemaURL: String) -> Int32 {
        let attributes = Self.canonicalText(resource.attributes)
        let facts = IndexedAttributes(resource.attributes)
        let rest = Self.identity(schemaURL, resource.droppedAttributesCount)
        resources.append(
            ResourceRow(
                hash: StableHash(attributes + rest),
                service: resource.attributes[AttributeKey.serviceName]?.stringValue ?? "unknown_service",
                side: OriginSide(resource),
                attributes: attributes,
                schemaURL: schemaURL,
                dropped: resource.droppedAttributesCount,
                session: sessions.index(of: facts.session),
            )
        )
        return Int32(resources.count - 1)
    }

    mutating func add(_ scope: InstrumentationScope, schemaURL: String) -> Int32 {
        let attributes = Self.canonicalText(scope.attributes)
        var identity = JSONText()
        identity.append(scope.name)
        identity.append(scope.version)
        identity.append(json: attributes)
        identity.append(json: Self.identity(schemaURL, scope.droppedAttributesCount))
        scopes.append(
            ScopeRow(
                hash: StableHash(identity.string), name: scope.name, version: scope.version, attributes: attributes,
                schemaURL: schemaURL, dropped: scope.droppedAttributesCount,
            )
        )
        return Int32(scopes.count - 1)
    }

    /// The part of a resource's or scope's identity that few senders set: nothing if they did not.
    private static func identity(_ schemaURL: String, _ dropped: UInt32) -> String {
        guard !schemaURL.isEmpty || dropped > 0 else { return "" }
        var text = JSONText()
        text.append(schemaURL)
        text.append(dropped)
        return text.string
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
