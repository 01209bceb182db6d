/// A message in no encoding yet.
package struct Tree {
    struct Field {
        let spec: FieldSpec
        let value: Value
    }

    indirect enum Value {
        /// An integer, a truth value, an enumeration's number, or the bits of a double.
        case number(UInt64)
        /// Text, bytes or an id.
        case bytes([UInt8])
        case packed([UInt64])
        case message(Tree)
    }

    let kind: MessageKind
    var fields: [Field]
}

/// Draws valid requests.
package struct TreeGenerator {
    private var random: Randomness
    /// The number of further fields that the request may have.
    private var allowance: Int

    package init(random: Randomness, fieldLimit: Int) {
        self.random = random
        allowance = fieldLimit
    }

    /// A request for traces, logs or metrics.
    package mutating func request(_ signal: RequestSignal) -> Tree {
        switch signal {
        case .traces: tree(.traces)
        case .logs: tree(.logs)
        case .metrics: tree(.metrics)
        }
    }

    private mutating func tree(_ kind: MessageKind, depth: Int = 0) -> Tree {
        var tree = Tree(kind: kind, fields: [])
        let chosen = random.pick([0] + kind.alternatives.sorted())
        for spec in kind.fields {
            if kind.alternatives.contains(spec.number) {
                guard spec.number == chosen else { continue }
            } else if !spec.isRequired {
                guard allowance > 0, random.chance(70) else { continue }
            }
            if spec.isRepeated {
                for _ in 0..<repetitions(depth) { append(spec, to: &tree, depth: depth) }
            } else {
                append(spec, to: &tree, depth: depth)
            }
        }
        if kind == .histogramPoint { alignBuckets(of: &tree) }
        return tree
    }

    private mutating func repetitions(_ depth: Int) -> Int {
        guard allowance > 0 else { return 0 }
        return random.chance(5) ? random.below(40) : depth > 12 ? random.below(2) : random.below(5)
    }

    private mutating func append(_ spec: FieldSpec, to tree: inout Tree, depth: Int) {
        allowance -= 1
        tree.fields.append(Tree.Field(spec: spec, value: value(spec, depth: depth)))
    }

    private mutating func value(_ spec: FieldSpec, depth: Int) -> Tree.Value {
        switch spec.kind {
        case .text: .bytes(Array(text().utf8))
        case .traceState: .bytes(Array(random.pick(["", "ot=th:8", "a=1,b@c=2"]).utf8))
        case .bytes: .bytes(random.bytes(random.below(20)))
        case .traceID: .bytes(random.bytes(15) + [1])
        case .spanID: .bytes(random.bytes(7) + [1])
        case .bool: .number(UInt64(random.below(2)))
        case .int64, .sfixed64, .fixed64: .number(integer())
        case .uint32, .sint32, .fixed32: .number(integer() & 0xFFFF_FFFF)
        case .enumeration(let names): .number(UInt64(random.below(names.count)))
        case .double: .number(double().bitPattern)
        case .packedFixed64, .packedVarint: .packed((0..<random.below(12)).map { _ in integer() })
        case .packedDouble: .packed((0..<random.below(12)).map { Double($0 * $0).bitPattern })
        case .message(let kind): .message(depth < 60 ? tree(kind, depth: depth + 1) : Tree(kind: kind, fields: []))
        }
    }

    private mutating func text() -> String {
        switch random.below(8) {
        case 0: ""
        case 1: String(repeating: "long ", count: random.below(60))
        case 2: random.pick(["naïve", "日本語", "🔭", "\u{0}\u{1F}\"\\/", "e\u{301}", "\u{E9}", "\u{212A}", "K"])
        case 3: String(random.next(), radix: 36)
        default: random.pick(["http.request.method", "GET", "session.id", "url.full", "a", "demo.product.id"])
        }
    }

    private mutating func integer() -> UInt64 {
        switch random.below(4) {
        case 0: UInt64(random.below(300))
        case 1: random.pick([0, 1, .max, 1 << 63, 1 << 53 + 1, 0xFFFF_FFFF, 1_763_700_000_000_000_000])
        default: random.next() >> UInt64(random.below(64))
        }
    }

    private mutating func double() -> Double {
        switch random.below(4) {
        case 0:
            random.pick([0, -0.0, 0.1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
        case 1: Double(random.below(1_000_000)) / 128
        default: Double(Int64(truncatingIfNeeded: random.next()))
        }
    }

    /// Gives a histogram one bucket more than it has bounds, or none of either.
    private mutating func alignBuckets(of tree: inout Tree) {
        var bounds = 0
        for case (7, .packed(let values)) in tree.fields.map({ ($0.spec.number, $0.value) }) { bounds = values.count }
        tree.fields.removeAll { $0.spec.number == 6 }
        guard let spec = MessageKind.histogramPoint.fields.first(where: { $0.number == 6 }) else { return }
        guard bounds > 0 || random.chance(50) else { return }
        tree.fields.append(Tree.Field(spec: spec, value: .packed((0...bounds).map { _ in integer() })))
    }
}

/// The three kinds of request.
package enum RequestSignal: String, CaseIterable, Sendable {
    case traces, logs, metrics
}
