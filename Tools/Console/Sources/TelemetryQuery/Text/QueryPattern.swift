/// A regular expression whose search takes time in proportion to the text, whatever the pattern.
///
/// Supported: literals, `.`, classes such as `[a-z_]`, `\d \w \s` and their negations, `^ $ \b`, groups, `|`, the
/// quantifiers `* + ? {m,n}` and their lazy forms, and `(?i)` at the start. There are no back-references and no
/// look-around, so a search never backtracks.
package struct QueryPattern: Sendable {
    enum Instruction: Sendable {
        case character(CharacterSet)
        case start
        case end
        case boundary(isNegated: Bool)
        /// Continues at both places; the first is preferred.
        case split(Int, Int)
        case jump(Int)
        case save(Int)
        case match
    }

    struct CharacterSet: Sendable {
        var ranges: [ClosedRange<UInt32>]
        var isNegated = false

        func contains(_ scalar: UInt32) -> Bool {
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    package struct SyntaxError: Error, CustomStringConvertible {
        package let description: String
    }

    private let program: [Instruction]
    private let ignoresCase: Bool
    package let captures: Int

    /// - Throws: `SyntaxError` that says where the pattern ends to be one.
    package init(_ pattern: String) throws(SyntaxError) {
        guard pattern.count <= QueryLimits.pattern else {
            throw SyntaxError(
                description: "The regular expression is longer than \(QueryLimits.pattern) characters.")
        }
        var source = pattern
        ignoresCase = source.hasPrefix("(?i)")
        if ignoresCase { source.removeFirst(4) }
        var compiler = QueryPatternCompiler(source, ignoresCase: ignoresCase)
        program = try compiler.program()
        captures = compiler.captures
    }

    /// Returns true if some part of `text` matches.
    package func matches(_ text: String) -> Bool { search(text, capturing: false) != nil }

    /// Returns the first capture of the first match, the whole match without captures, or `nil` without a match.
    package func extract(from text: String) -> String? {
        guard let slots = search(text, capturing: true) else { return nil }
        let first = captures > 0 ? 2 : 0
        guard slots.count > first + 1, slots[first] >= 0, slots[first + 1] >= slots[first] else { return nil }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars[slots[first]..<slots[first + 1]])
        return String(result)
    }

    private struct State {
        var order: [Int] = []
        var slots: [[Int]] = []
        var isIn: [Bool]

        init(_ count: Int) { isIn = Array(repeating: false, count: count) }

        mutating func clear() {
            for place in order { isIn[place] = false }
            order.removeAll(keepingCapacity: true)
            slots.removeAll(keepingCapacity: true)
        }
    }

    /// Runs all alternatives at once, in the order of their preference.
    private func search(_ text: String, capturing: Bool) -> [Int]? {
        let scalars = text.unicodeScalars.map { ignoresCase ? Self.folded($0.value) : $0.value }
        let empty = capturing ? Array(repeating: -1, count: 2 * (captures + 1)) : []
        var current = State(program.count)
        var next = State(program.count)
        var found: [Int]?
        for position in 0...scalars.count {
            if found == nil { follow(0, empty, at: position, in: scalars, into: &current) }
            if current.order.isEmpty { break }
            for (index, place) in current.order.enumerated() {
                switch program[place] {
                case .match:
                    found = current.slots[index]
                    if !capturing { return found }
                case .character(let set):
                    if position < scalars.count, set.contains(scalars[position]) {
                        follow(place + 1, current.slots[index], at: position + 1, in: scalars, into: &next)
                    }
                default: break
                }
                // What comes after a match is less preferred.
                if case .match = program[place] { break }
            }
            current.clear()
            swap(&current, &next)
        }
        return found
    }

    /// Adds a place and all that it leads to without a character.
    private func follow(
        _ place: Int, _ slots: [Int], at position: Int, in scalars: [UInt32], into state: inout State,
    ) {
        var stack = [(place, slots)]
        while let (place, slots) = stack.popLast() {
            if state.isIn[place] { continue }
            state.isIn[place] = true
            // `order` also has the places that consume nothing, so that `clear` resets them.
            state.order.append(place)
            state.slots.append(slots)
            switch program[place] {
            case .jump(let target): stack.append((target, slots))
            case .split(let first, let second):
                stack.append((second, slots))
                stack.append((first, slots))
            case .save(let slot):
                var changed = slots
                if slot < changed.count { changed[slot] = position }
                stack.append((place + 1, changed))
            case .start: if position == 0 { stack.append((place + 1, slots)) }
            case .end: if position == scalars.count { stack.append((place + 1, slots)) }
            case .boundary(let isNegated):
                let before = position > 0 && Self.isWord(scalars[position - 1])
                let after = position < scalars.count && Self.isWord(scalars[position])
                if (before != after) != isNegated { stack.append((place + 1, slots)) }
            case .character, .match: break
            }
        }
    }

    private static func isWord(_ scalar: UInt32) -> Bool { word.contains(scalar) }

    static let word = CharacterSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let digit = CharacterSet(ranges: [0x30...0x39])
    static let space = CharacterSet(ranges: [0x09...0x0D, 0x20...0x20])

    static func folded(_ scalar: UInt32) -> UInt32 {
        (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar
    }
}
