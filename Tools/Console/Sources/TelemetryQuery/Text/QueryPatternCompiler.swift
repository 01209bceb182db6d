/// Translates a pattern into instructions.
struct QueryPatternCompiler {
    private indirect enum Node {
        case empty
        case set(QueryPattern.CharacterSet)
        case assertion(QueryPattern.Instruction)
        case sequence([Node])
        case alternatives([Node])
        case group(Node, capture: Int?)
        case repeated(Node, least: Int, most: Int?, isLazy: Bool)
    }

    private static let instructionLimit = 5_000
    private static let depthLimit = 32

    private let scalars: [UnicodeScalar]
    private let ignoresCase: Bool
    private var position = 0
    private var depth = 0
    private(set) var captures = 0
    private var code: [QueryPattern.Instruction] = []

    init(_ pattern: String, ignoresCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    mutating func program() throws(QueryPattern.SyntaxError) -> [QueryPattern.Instruction] {
        let node = try alternatives()
        guard position == scalars.count else { throw error("has a ) without a (") }
        try emit(.save(0))
        try emit(node)
        try emit(.save(1))
        try emit(.match)
        return code
    }

    private func error(_ problem: String) -> QueryPattern.SyntaxError {
        QueryPattern.SyntaxError(
            description: "The regular expression \(problem) at its character \(min(position, scalars.count) + 1).")
    }

    private mutating func take(_ scalar: UnicodeScalar) -> Bool {
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(QueryPattern.SyntaxError) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw error("is nested too deeply") }
        var choices = [try sequence()]
        while take("|") { choices.append(try sequence()) }
        return choices.count == 1 ? choices[0] : .alternatives(choices)
    }

    private mutating func sequence() throws(QueryPattern.SyntaxError) -> Node {
        var parts: [Node] = []
        while position < scalars.count, scalars[position] != "|", scalars[position] != ")" {
            parts.append(try quantified(atom()))
        }
        return parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func quantified(_ node: Node) throws(QueryPattern.SyntaxError) -> Node {
        var node = node
        while position < scalars.count {
            let bounds: (Int, Int?)
            if take("*") {
                bounds = (0, nil)
            } else if take("+") {
                bounds = (1, nil)
            } else if take("?") {
                bounds = (0, 1)
            } else if take("{") {
                let least = try count()
                var most: Int? = least
                if take(",") { most = position < scalars.count && scalars[position] == "}" ? nil : try count() }
                guard take("}"), most.map({ $0 >= least }) ?? true else { throw error("has an invalid {m,n}") }
                bounds = (least, most)
            } else {
                break
            }
            node = .repeated(node, least: bounds.0, most: bounds.1, isLazy: take("?"))
            depth += 1
            guard depth <= Self.depthLimit * 2 else { throw error("has too many quantifiers") }
        }
        return node
    }

    private mutating func count() throws(QueryPattern.SyntaxError) -> Int {
        var digits = ""
        while position < scalars.count, scalars[position].properties.numericType == .decimal, digits.count < 4 {
            digits.unicodeScalars.append(scalars[position])
            position += 1
        }
        guard let count = Int(digits), count <= 500 else { throw error("has an invalid {m,n}") }
        return count
    }

    private mutating func atom() throws(QueryPattern.SyntaxError) -> Node {
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case ".": return .set(QueryPattern.CharacterSet(ranges: [0x0A...0x0A], isNegated: true))
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "[": return .set(try characterClass())
        case "(":
            var capture: Int?
            if take("?") {
                guard take(":") else { throw error("has a group that is not supported") }
            } else {
                captures += 1
                capture = captures
            }
            let inner = try alternatives()
            guard take(")") else { throw error("has a ( without a )") }
            return .group(inner, capture: capture)
        case "*", "+", "?", "{":
            position -= 1
            throw error("has a quantifier with nothing before it")
        case "\\":
            if take("b") { return .assertion(.boundary(isNegated: false)) }
            if take("B") { return .assertion(.boundary(isNegated: true)) }
            return .set(try escape())
        default: return .set(set(of: scalar.value...scalar.value))
        }
    }

    private func set(of range: ClosedRange<UInt32>) -> QueryPattern.CharacterSet {
        QueryPattern.CharacterSet(ranges: folding(range))
    }

    /// Adds the lower-case letters for the upper-case ones of a range, because texts are folded.
    private func folding(_ range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        let upper = range.clamped(to: 0x41...0x5A)
        guard ignoresCase, range.overlaps(0x41...0x5A) else { return [range] }
        return [range, QueryPattern.folded(upper.lowerBound)...QueryPattern.folded(upper.upperBound)]
    }

    /// Reads what follows a backslash.
    private mutating func escape() throws(QueryPattern.SyntaxError) -> QueryPattern.CharacterSet {
        guard position < scalars.count else { throw error("ends with a backslash") }
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case "d": return QueryPattern.digit
        case "w": return QueryPattern.word
        case "s": return QueryPattern.space
        case "D", "W", "S":
            var set = scalar == "D" ? QueryPattern.digit : (scalar == "W" ? QueryPattern.word : QueryPattern.space)
            set.isNegated = true
            return set
        case "n": return QueryPattern.CharacterSet(ranges: [0x0A...0x0A])
        case "t": return QueryPattern.CharacterSet(ranges: [0x09...0x09])
        case "r": return QueryPattern.CharacterSet(ranges: [0x0D...0x0D])
        default:
            guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
                position -= 1
                throw error("has an unknown escape")
            }
            return set(of: scalar.value...scalar.value)
        }
    }

    private mutating func characterClass() throws(QueryPattern.SyntaxError) -> QueryPattern.CharacterSet {
        var ranges: [ClosedRange<UInt32>] = []
        let isNegated = take("^")
        var isFirst = true
        while isFirst || position >= scalars.count || scalars[position] != "]" {
            isFirst = false
            guard position < scalars.count else { throw error("has a [ without a ]") }
            let low = scalars[position]
            position += 1
            if low == "\\" {
                let set = try escape()
                guard !set.isNegated else { throw error("has a negated class inside another") }
                ranges += set.ranges
                continue
            }
            if position + 1 < scalars.count, scalars[position] == "-", scalars[position + 1] != "]" {
                position += 1
                let high = scalars[position]
                position += 1
                guard high != "\\", low.value <= high.value else { throw error("has an invalid range") }
                ranges += folding(low.value...high.value)
            } else {
                ranges += folding(low.value...low.value)
            }
        }
        position += 1
        return QueryPattern.CharacterSet(ranges: ranges, isNegated: isNegated)
    }

    private mutating func emit(_ instruction: QueryPattern.Instruction) throws(QueryPattern.SyntaxError) {
        guard code.count < Self.instructionLimit else { throw error("is too large") }
        code.append(instruction)
    }

    private mutating func emit(_ node: Node) throws(QueryPattern.SyntaxError) {
        switch node {
        case .empty: break
        case .set(let set): try emit(.character(set))
        case .assertion(let assertion): try emit(assertion)
        case .sequence(let parts): for part in parts { try emit(part) }
        case .group(let inner, let capture):
            if let capture { try emit(.save(2 * capture)) }
            try emit(inner)
            if let capture { try emit(.save(2 * capture + 1)) }
        case .alternatives(let choices): try emit(choices: choices[...])
        case .repeated(let inner, let least, let most, let isLazy):
            for _ in 0..<least { try emit(inner) }
            if let most {
                var splits: [Int] = []
                for _ in least..<most {
                    splits.append(code.count)
                    try emit(.match)
                    try emit(inner)
                }
                for split in splits { code[split] = Self.split(split + 1, code.count, isLazy) }
            } else {
                let split = code.count
                try emit(.match)
                try emit(inner)
                try emit(.jump(split))
                code[split] = Self.split(split + 1, code.count, isLazy)
            }
        }
    }

    private mutating func emit(choices: ArraySlice<Node>) throws(QueryPattern.SyntaxError) {
        var jumps: [Int] = []
        for (index, choice) in choices.enumerated() {
            guard index < choices.count - 1 else {
                try emit(choice)
                break
            }
            let split = code.count
            try emit(.match)
            try emit(choice)
            jumps.append(code.count)
            try emit(.match)
            code[split] = .split(split + 1, code.count)
        }
        for jump in jumps { code[jump] = .jump(code.count) }
    }

    private static func split(_ inside: Int, _ outside: Int, _ isLazy: Bool) -> QueryPattern.Instruction {
        isLazy ? .split(outside, inside) : .split(inside, outside)
    }
}
