public import Astrolabe
public import AstrolabeTelemetryModel

extension TelemetryCollector {
    /// Returns true if a span matches.
    ///
    ///     #expect(collector.contains(.named("checkout").status(.ok)))
    ///     XCTAssertTrue(collector.contains(.named("checkout").status(.ok)))
    public func contains(_ matcher: SpanMatcher) -> Bool { !spans(matching: matcher).isEmpty }

    /// The spans that match, in the order in which they came.
    public func spans(matching matcher: SpanMatcher) -> [Collected<SpanData>] {
        SpanSearch(matcher, in: contents).matches
    }

    /// Returns the only span that matches.
    ///
    ///     let order = try collector.requireSpan(.named("place order").child(of: "checkout"))
    ///
    /// - Throws: ``ExpectationFailure`` if several spans match, or none does. It shows the nearest ones and how they
    ///   differ.
    @discardableResult
    public func requireSpan(
        _ matcher: SpanMatcher, file: StaticString = #fileID, line: UInt = #line,
    ) throws -> Collected<SpanData> {
        let spans = try requireSpans(matcher, count: 1, file: file, line: line)
        guard let span = spans.first else { throw ExpectationFailure("no span", file: file, line: line) }
        return span
    }

    /// Returns the only span that matches, as soon as there is one.
    ///
    /// For what happens in its own time, such as a view that appears. It flushes until a span matches.
    ///
    ///     let window = TestWindow(CartScreen().environment(\.viewTracer, telemetry.views))
    ///     try await collector.waitForSpan(.named("Cart.onAppear"), flushing: telemetry)
    ///
    /// - Parameters:
    ///   - telemetry: What ``start(_:samplesSessions:)`` returned.
    ///   - timeout: How long it flushes, in real time.
    /// - Throws: ``ExpectationFailure`` if no span matches in time, or several do; `CancellationError` if the task is
    ///   cancelled.
    @discardableResult
    public func waitForSpan(
        _ matcher: SpanMatcher, flushing telemetry: Telemetry, timeout: Duration = .seconds(10),
        file: StaticString = #fileID, line: UInt = #line,
    ) async throws -> Collected<SpanData> {
        let deadline = ContinuousClock.now + timeout
        await telemetry.flush()
        while !contains(matcher), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
            await telemetry.flush()
        }
        return try requireSpan(matcher, file: file, line: line)
    }

    /// Returns the spans that match, in the order in which they came.
    ///
    /// - Parameter count: How many are expected; `nil` for at least one.
    /// - Throws: ``ExpectationFailure`` if another number of spans matches.
    @discardableResult
    public func requireSpans(
        _ matcher: SpanMatcher, count: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    ) throws -> [Collected<SpanData>] {
        let search = SpanSearch(matcher, in: contents)
        let found = search.matches
        if count.map({ $0 == found.count }) ?? !found.isEmpty { return found }
        let expected = count.map { $0 == 1 ? "one span" : "\($0) spans" } ?? "a span"
        var text = "Expected \(expected) \(matcher), found \(found.isEmpty ? "none" : "\(found.count)"). "
        text += found.isEmpty ? search.nearest : "They are marked:\n" + search.marked(found).indented
        throw ExpectationFailure(text, file: file, line: line)
    }

    /// Expects that no span matches.
    ///
    /// - Throws: ``ExpectationFailure`` with the spans that do.
    public func requireNoSpan(
        _ matcher: SpanMatcher, file: StaticString = #fileID, line: UInt = #line,
    ) throws {
        let search = SpanSearch(matcher, in: contents)
        let found = search.matches
        guard !found.isEmpty else { return }
        let text =
            "Expected no span \(matcher), found \(found.count). They are marked:\n" + search.marked(found).indented
        throw ExpectationFailure(text, file: file, line: line)
    }

    /// Returns where personal data was recorded: in spans, events, metrics and resources.
    ///
    ///     #expect(collector.personalData("Ada Lovelace", "12 Analytical Lane") == [])
    ///
    /// Beside the values, it finds what the SDK redacts: e-mail addresses, card numbers, credentials, and values under
    /// keys that name a secret. The SDK has replaced those before, so they are found only if redaction is off or a
    /// resource attribute has them.
    ///
    /// - Parameters:
    ///   - values: Values of the test that may not be recorded, such as a customer's name. Case is ignored.
    ///     A value of hexadecimal digits alone, such as `Ada`, can be a part of a random id.
    ///   - options: The app's own options of redaction, such as the query items that it may record.
    public func personalData(_ values: String..., options: RedactionOptions = RedactionOptions()) -> [String] {
        let search = PersonalDataSearch(values: values, options: options)
        let contents = contents
        var findings = contents.spans.flatMap { search.findings(in: $0) }
        findings += contents.events.flatMap { search.findings(in: $0) }
        findings += contents.metrics.flatMap { search.findings(in: $0) }
        var seen: Set<String> = []
        return findings.filter { seen.insert($0).inserted }
    }
}

extension SpanSearch {
    fileprivate func marked(_ found: [Collected<SpanData>]) -> String {
        trees(notes: Dictionary(found.map { ($0.place, "matches") }, uniquingKeysWith: { first, _ in first }))
    }
}
