public import AstrolabeTelemetryModel

extension SpanMatcher {
    /// Expects that the span has no parent.
    public func root() -> SpanMatcher {
        requiring("without a parent") { span, relations in
            guard span.parentSpanID.isValid else { return nil }
            return relations.parent(of: span).map { "the parent is \($0.name.quoted)" } ?? "it has a parent"
        }
    }

    /// Expects a parent that matches.
    public func child(of parent: SpanMatcher) -> SpanMatcher {
        requiring("child of a span \(parent)") { span, relations in
            guard span.parentSpanID.isValid else { return "it has no parent" }
            guard let found = relations.parent(of: span) else { return "its parent has not arrived" }
            let mismatches = parent.mismatches(of: found, relations).map(\.text)
            return mismatches.isEmpty
                ? nil : "of its parent \(found.name.quoted), " + mismatches.joined(separator: ", ")
        }
    }

    /// Expects that the parent, or a span further up, matches.
    public func descendant(of ancestor: SpanMatcher) -> SpanMatcher {
        requiring("below a span \(ancestor)") { span, relations in
            let ancestors = relations.ancestors(of: span)
            if ancestors.contains(where: { ancestor.matches($0, relations) }) { return nil }
            return ancestors.isEmpty
                ? "it has no parent that arrived"
                : "it is below " + ancestors.map { $0.name.quoted }.joined(separator: ", ")
        }
    }

    /// Expects an event of the span: a span event, or an event that was recorded while the span was current.
    ///
    /// - Parameter attributes: The attributes that the event has, among others.
    public func event(_ name: String, attributes: Attributes = [:]) -> SpanMatcher {
        let expected = attributes.isEmpty ? "" : " \(attributes.literal)"
        return requiring("with event \(name.quoted)\(expected)") { span, relations in
            let events = relations.events(of: span)
            if events.contains(where: { event in
                event.name == name && attributes.allSatisfy { event.attributes[$0.key] == $0.value }
            }) {
                return nil
            }
            let named = events.filter { $0.name == name }
            if let event = named.first {
                return "its event \(name.quoted) has \(event.attributes.literal)"
            }
            return events.isEmpty
                ? "it has no event" : "its events are " + events.map { $0.name.quoted }.joined(separator: ", ")
        }
    }

    /// Expects that no text of the span has one of these values, an e-mail address, a card number or a credential.
    ///
    /// - Parameter values: Values of the test that may not be recorded, such as a customer's name. Case is ignored.
    public func withoutPersonalData(_ values: String...) -> SpanMatcher {
        requiring("without personal data") { span, _ in
            let findings = PersonalDataSearch(values: values).findings(in: span)
            return findings.isEmpty ? nil : findings.joined(separator: ", ")
        }
    }
}
