/// Finds the critical path: the spans that determined the duration of a trace.
///
/// Reads backwards from the end of the longest root. The child that ended last is on the path, then the child that had
/// ended last when that child started, and so on. The same applies within each child. Only the parts of children within
/// their parent count.
enum CriticalPath {
    static func mark(_ nodes: inout [TraceNode]) {
        let roots = nodes.indices.filter { nodes[$0].parent == nil }
        guard let root = roots.max(by: { nodes[$0].span.durationNano < nodes[$1].span.durationNano }) else { return }
        var children: [Int: [Int]] = [:]
        for index in nodes.indices {
            if let parent = nodes[index].parent { children[parent, default: []].append(index) }
        }
        var pending = [root]
        while let index = pending.popLast() {
            nodes[index].isCritical = true
            let end = nodes[index].endUnixNano
            var moment = end
            let candidates = (children[index] ?? []).map { child in
                (child, start: nodes[child].startUnixNano, end: min(nodes[child].endUnixNano, end))
            }
            for (child, start, end) in candidates.sorted(by: { ($0.end, $0.start) > ($1.end, $1.start) })
            where end <= moment && start < moment {
                pending.append(child)
                moment = start
            }
        }
    }
}
