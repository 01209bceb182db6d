/// A question about what follows what: from screen to screen in each session.
///
/// The values of `field` in the records of one `key`, in the order of time, are a path. Equal values that follow each
/// other are one stop.
package struct FlowQuery: Hashable, Sendable {
    package static let depths = 2...12
    package static let limits = 1...30
    /// The number of examples of a link.
    package static let examples = 10

    package var field: Expression = .field("app.screen.name")
    package var key: Expression = .session
    /// The records that count. By default those that prove what the screen showed: see ``shown``.
    package var condition: Condition? = FlowQuery.shown
    /// The number of stops of a path that count.
    package var depth = 6
    /// The number of values; all others are one more.
    package var limit = 8
    package var time: TimeRange = .last(nanoseconds: 86_400_000_000_000)

    package init() {}

    /// The records of the SDK that a screen in view makes: its appearance in either form of view tracing, and taps.
    ///
    /// Other records have the attribute too, such as a screen's last span after the next screen has appeared.
    package static let shown: Condition = .any([
        .leaf(Term(.field("view.lifecycle"), .equal, [Literal(.string("onAppear"))])),
        .leaf(
            Term(
                .field("name"), .isIn,
                [Literal(.string("app.screen.view_did_appear")), Literal(.string("app.widget.click"))])),
    ])

    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    package func window(now: Int64) throws(QueryError) -> TimeWindow {
        guard Self.depths.contains(depth) else {
            throw QueryError("Expected a number of stops from 2 to \(Self.depths.upperBound).", at: .path("depth"))
        }
        guard Self.limits.contains(limit) else {
            throw QueryError("Expected a limit from 1 to \(Self.limits.upperBound).", at: .path("limit"))
        }
        return try TimeWindow(time, .total, now: now)
    }
}

package struct FlowResult: Hashable, Sendable {
    package var window: TimeWindow
    package var paths: Int
    /// By depth, then by count, the largest first.
    package var nodes: [FlowNode]
    /// By depth, then by count, the largest first.
    package var links: [FlowLink]
    /// The number of values that are counted as others.
    package var otherValues: Int
    package var unlinkedRecords: Int

    package init(
        window: TimeWindow, paths: Int, nodes: [FlowNode], links: [FlowLink], otherValues: Int, unlinkedRecords: Int,
    ) {
        self.window = window
        self.paths = paths
        self.nodes = nodes
        self.links = links
        self.otherValues = otherValues
        self.unlinkedRecords = unlinkedRecords
    }
}

/// A stop: one value, or all others if it is missing.
package struct FlowNode: Hashable, Sendable {
    /// The place in the path, from 0.
    package var depth: Int
    package var value: QueryValue
    /// The paths that come here.
    package var count: Int
    /// The paths that end here. Those that go on beyond the last depth are neither here nor in a link.
    package var ended: Int

    package init(depth: Int, value: QueryValue, count: Int, ended: Int) {
        self.depth = depth
        self.value = value
        self.count = count
        self.ended = ended
    }
}

package struct FlowLink: Hashable, Sendable {
    /// The depth of `from`.
    package var depth: Int
    package var from: QueryValue
    package var to: QueryValue
    package var count: Int
    /// The newest first, with the record of `to`.
    package var examples: [JourneyExample]

    package init(depth: Int, from: QueryValue, to: QueryValue, count: Int, examples: [JourneyExample]) {
        self.depth = depth
        self.from = from
        self.to = to
        self.count = count
        self.examples = examples
    }
}
