import ConsoleModel

/// Finds the critical path: the spans that determined the duration of a trace.
///
/// Reads backwards from the end of the longest root. The child that ended last is on the path, then the child that had
/// ended last when that child started, and so on. The same applies within each child. Only the parts of children within
/// their parent count.
///
/// So each moment of the root belongs to one span: the innermost one on the path. A span that only waits for its
/// children has no such moments and is not marked.
enum CriticalPath {
    /// The least share of the root's duration that marks a span is one in `leastShare`.
    private static let leastShare: UInt64 = 100

    static func mark(_ nodes: inout [TraceNode]) {
        let roots = nodes.indices.filter { nodes[$0].parent == nil }
        guard let root = roots.max(by: { nodes[$0].span.durationNano < nodes[$1].span.durationNano }) else { return }
        var children: [Int: [Int]] = [:]
        for index in nodes.indices {
            if let parent = nodes[index].parent { children[parent, default: []].append(index) }
        }
        var pending = [(index: root, window: nodes[root].startUnixNano..<nodes[root].endUnixNano)]
        while let (index, window) = pending.popLast() {
            var moment = window.upperBound
            let candidates = (children[index] ?? []).map { child in
                (child, start: nodes[child].startUnixNano, end: min(nodes[child].endUnixNano, window.upperBound))
            }
            for (child, start, end) in candidates.sorted(by: { ($0.end, $0.start) > ($1.end, $1.start) })
            where end <= moment && start < moment && end > window.lowerBound {
                if end < moment { nodes[index].criticalParts.append(end..<moment) }
                moment = max(start, window.lowerBound)
                pending.append((child, moment..<max(end, moment)))
            }
            if moment > window.lowerBound { nodes[index].criticalParts.append(window.lowerBound..<moment) }
        }
        for index in nodes.indices where !nodes[index].criticalParts.isEmpty {
            let own = nodes[index].criticalParts.reduce(0) { $0 + UInt64($1.count) }
            nodes[index].isCritical = own >= nodes[root].span.durationNano / leastShare
        }
    }
}
