public import AstrolabeTelemetryModel

/// The expectations of a test about a span.
///
///     try collector.requireSpan(.named("charge card").kind(.client).child(of: "checkout"))
///     #expect(collector.contains(.named("checkout").attribute("demo.order.amount", 57.08)))
///
/// A matcher is a value: each method returns one that expects more. A text in place of a matcher is the name of a span.
/// It depends on no test framework: `#expect`, `XCTAssertTrue` and a thrown error work alike.
public struct SpanMatcher: Sendable {
    /// One expectation, and how a span differs from it.
    struct Requirement: Sendable {
        /// As part of a sentence: "of kind client".
        let text: String
        /// The weight of this difference when spans are ordered by their distance from the matcher.
        var weight = 1
        /// Describes the span's actual value; `nil` if it is as expected.
        let mismatch: @Sendable (Collected<SpanData>, CollectedSpanRelations) -> String?
    }

    private(set) var requirements: [Requirement] = []
    private(set) var name: String?

    /// Matches all spans.
    public static let any = SpanMatcher()

    /// Matches spans of a name.
    public static func named(_ name: String) -> SpanMatcher {
        var matcher = SpanMatcher.any
        matcher.name = name
        // The name says best which span was meant.
        let requirement = Requirement(text: "named \(name.quoted)", weight: 3) { span, _ in
            span.name == name ? nil : "the name is \(span.name.quoted)"
        }
        matcher.requirements.append(requirement)
        return matcher
    }

    /// Expects what another matcher expects, too.
    ///
    ///     extension SpanMatcher {
    ///         static let paid = SpanMatcher.any.attribute("demo.order.amount").status(.ok)
    ///     }
    ///     try collector.requireSpan(.named("checkout").and(.paid))
    public func and(_ other: SpanMatcher) -> SpanMatcher {
        var matcher = self
        matcher.requirements += other.requirements
        matcher.name = name ?? other.name
        return matcher
    }

    /// Expects a kind.
    public func kind(_ kind: SpanKind) -> SpanMatcher {
        requiring("of kind \(kind)") { span, _ in
            span.kind == kind ? nil : "the kind is \(span.kind.map { "\($0)" } ?? "unspecified")"
        }
    }

    /// Expects a status, and for an error its description.
    public func status(_ status: SpanStatus) -> SpanMatcher {
        requiring("with status \(status.literal)") { span, _ in
            span.status == status ? nil : "the status is \(span.status.literal)"
        }
    }

    /// Expects an error as the status, whatever its description.
    public func failed() -> SpanMatcher {
        requiring("with an error as status") { span, _ in
            span.status.isError ? nil : "the status is \(span.status.literal)"
        }
    }

    /// Expects an attribute with a value. An integer differs from a floating-point number.
    public func attribute(_ key: String, _ value: some AttributeConvertible) -> SpanMatcher {
        guard let expected = value.attributeValue else { return withoutAttribute(key) }
        return requiring("with \(key) = \(expected.literal)") { span, _ in
            guard let found = span.attributes[key] else { return "\(key) is missing" }
            return found == expected ? nil : "\(key) is \(found.literal)"
        }
    }

    /// Expects an attribute, whatever its value.
    public func attribute(_ key: String) -> SpanMatcher {
        requiring("with \(key)") { span, _ in span.attributes[key] == nil ? "\(key) is missing" : nil }
    }

    /// Expects that an attribute is not set.
    public func withoutAttribute(_ key: String) -> SpanMatcher {
        requiring("without \(key)") { span, _ in span.attributes[key].map { "\(key) is \($0.literal)" } }
    }

    /// Expects a duration in a range whose limits belong to it.
    ///
    /// Times are exact if the collector was made with a ``TestClock``. Otherwise leave room for a busy machine.
    public func duration(atLeast least: Duration = .zero, atMost most: Duration? = nil) -> SpanMatcher {
        let range = most.map { "\(least) to \($0)" } ?? "at least \(least)"
        return requiring("with a duration of \(range)") { span, _ in
            let duration = Duration.nanoseconds(Int64(clamping: span.record.durationNano))
            return duration >= least && most.map { duration <= $0 } ?? true ? nil : "the duration is \(duration)"
        }
    }

    /// Expects what only the app knows.
    ///
    /// - Parameter description: What is expected, for the message of a failure.
    public func satisfying(
        _ description: String, _ isSatisfied: @escaping @Sendable (SpanData) -> Bool,
    ) -> SpanMatcher {
        requiring("satisfying \(description.quoted)") { span, _ in
            isSatisfied(span.record) ? nil : "it does not satisfy \(description.quoted)"
        }
    }

    func requiring(
        _ text: String, _ mismatch: @escaping @Sendable (Collected<SpanData>, CollectedSpanRelations) -> String?,
    ) -> SpanMatcher {
        var matcher = self
        matcher.requirements.append(Requirement(text: text, mismatch: mismatch))
        return matcher
    }

    func matches(_ span: Collected<SpanData>, _ relations: CollectedSpanRelations) -> Bool {
        requirements.allSatisfy { $0.mismatch(span, relations) == nil }
    }

    /// The difference between a span and each expectation that it does not meet.
    func mismatches(of span: Collected<SpanData>, _ relations: CollectedSpanRelations) -> [(text: String, weight: Int)]
    {
        requirements.compactMap { requirement in
            requirement.mismatch(span, relations).map { ($0, requirement.weight) }
        }
    }
}

extension SpanMatcher: ExpressibleByStringLiteral {
    /// Matches spans of a name.
    public init(stringLiteral name: String) { self = .named(name) }
}

extension SpanMatcher: CustomStringConvertible {
    /// The expectations as the end of a sentence, such as `named "checkout", of kind client`.
    public var description: String {
        requirements.isEmpty ? "of any name" : requirements.map(\.text).joined(separator: ", ")
    }
}
