import AstrolabeTelemetryModel

/// Finds the spans that a matcher matches, and explains why there are none.
struct SpanSearch {
    let matcher: SpanMatcher
    private let spans: [Collected<SpanData>]
    private let relations: CollectedSpanRelations

    /// The number of spans that an explanation points at.
    private static let nearestCount = 3
    /// A longer tree is cut to the spans that the explanation points at, with their ancestors.
    private static let wholeTreeLines = 40

    init(_ matcher: SpanMatcher, in store: CollectorStore) {
        self.matcher = matcher
        spans = store.spans
        relations = CollectedSpanRelations(store)
    }

    var matches: [Collected<SpanData>] { spans.filter { matcher.matches($0, relations) } }

    /// The trees of some spans with notes on those.
    func trees(notes: [SpanPlace: String]) -> String {
        TraceTree.all(of: spans).filter { $0.contains(notes) }.map { tree in
            let isWhole = tree.count <= Self.wholeTreeLines
            return tree.lines(notes: notes, isWhole: isWhole).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The spans that come nearest to the matcher, and their differences from it.
    var nearest: String {
        guard !spans.isEmpty else {
            return "No spans have arrived. Call `await telemetry.flush()` before, and end every span."
        }
        var seen: Set<String> = []
        let ranked = spans.map { span -> (place: SpanPlace, score: Int, distance: Int, note: String) in
            let mismatches = matcher.mismatches(of: span, relations)
            let distance = matcher.name.map { Self.distance($0, span.name) } ?? 0
            let note = mismatches.map(\.text).joined(separator: "; ")
            return (span.place, mismatches.reduce(0) { $0 + $1.weight }, distance, note)
        }.sorted { ($0.score, $0.distance) < ($1.score, $1.distance) }
        // One of several spans that differ in the same way is enough.
        let chosen = ranked.filter { seen.insert($0.note).inserted }.prefix(Self.nearestCount)
        return "The nearest of \(spans.count) spans:\n"
            + trees(notes: Dictionary(uniqueKeysWithValues: chosen.map { ($0.place, $0.note) })).indented
    }

    /// The edits between two names, of which long ones are compared at their beginning.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8.prefix(64)), Array(right.utf8.prefix(64)))
        var row = Array(0...right.count)
        for (i, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row.last ?? 0
    }
}

extension TraceTree {
    fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }

    fileprivate func contains(_ notes: [SpanPlace: String]) -> Bool {
        notes[span.place] != nil || children.contains { $0.contains(notes) }
    }

    fileprivate func lines(notes: [SpanPlace: String], isWhole: Bool) -> [String] {
        let shown = isWhole ? children : children.filter { $0.contains(notes) }
        let omitted = children.count - shown.count
        return [span.name + (notes[span.place].map { "   <- \($0)" } ?? "")]
            + shown.flatMap { $0.lines(notes: notes, isWhole: isWhole) }.map { "  " + $0 }
            + (omitted > 0 ? ["  (\(omitted) more)"] : [])
    }
}
