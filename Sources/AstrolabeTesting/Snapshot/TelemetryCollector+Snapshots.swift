extension TelemetryCollector {
    /// The traces as text that is the same in every run of a test.
    ///
    ///     #expect(collector.traceText(of: "checkout", attributes: ["demo.*"]) == """
    ///         span checkout
    ///           demo.order.amount: 57.08
    ///           event demo.order.placed
    ///           span charge card, client
    ///         """)
    ///
    /// A span has a line with its name, its kind if that is not internal, and its status if it is set. Below are its
    /// attributes by key, its links, its events by time, and its children by their start, then by name. There are no
    /// times. In texts, ids become `<id 1>`, `<id 2>` and so on, and times become `<time>`.
    ///
    /// Spans that tasks record at the same time start in any order. Give those different snapshots.
    ///
    /// - Parameters:
    ///   - root: The spans at whose trees the text starts. Default: those whose parents have not arrived.
    ///   - attributes: The keys to show, of spans, links and events. A `*` at the end stands for any rest.
    public func traceText(of root: SpanMatcher? = nil, attributes: [String] = []) -> String {
        let contents = contents
        let relations = CollectedSpanRelations(contents)
        var text = TraceText(attributes: attributes, relations: relations)
        for tree in TraceTree.all(of: contents.spans).flatMap({ $0.trees(of: root, relations) }) { text.write(tree) }
        return text.lines.joined(separator: "\n")
    }

    /// Expects that the traces are those of a file.
    ///
    ///     try collector.requireSnapshot(at: "Snapshots/checkout.txt", of: "checkout", attributes: ["demo.*"])
    ///
    /// Writes the file if there is none, and then fails once. With `ASTROLABE_RECORD_SNAPSHOTS=1` in the environment it
    /// writes the file and succeeds.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one from the folder of the test's source file. A test on a device cannot reach
    ///     it, one in a simulator can.
    ///   - root: See ``traceText(of:attributes:)``.
    ///   - attributes: See ``traceText(of:attributes:)``.
    /// - Throws: ``ExpectationFailure`` with the lines that differ.
    public func requireSnapshot(
        at path: String, of root: SpanMatcher? = nil, attributes: [String] = [], source: StaticString = #filePath,
        line: UInt = #line,
    ) throws {
        let text = traceText(of: root, attributes: attributes)
        guard let failure = SnapshotFile(path, source: source).check(text) else { return }
        throw ExpectationFailure(failure, file: source, line: line)
    }
}

extension TraceTree {
    /// The trees that start at a matching span, of which none is within another; this one if `matcher` is `nil`.
    fileprivate func trees(of matcher: SpanMatcher?, _ relations: CollectedSpanRelations) -> [TraceTree] {
        guard let matcher, !matcher.matches(span, relations) else { return [self] }
        return children.flatMap { $0.trees(of: matcher, relations) }
    }
}
