import Foundation

/// Finds the first place where a text is not JSON, by the grammar of RFC 8259.
///
/// Foundation's decoder tells that a text is not JSON, but not dependably where.
struct JSONSyntax {
    /// Foundation's limit.
    private static let depthLimit = 512

    private struct Problem: Error {
        let offset: Int
        let expected: String
    }

    private let bytes: [UInt8]
    private var offset = 0

    /// Returns an error at the column where the text stops to be JSON; `nil` if all of it is JSON.
    static func error(in json: Data) -> QueryError? {
        var syntax = JSONSyntax(bytes: [UInt8](json))
        do throws(Problem) {
            try syntax.value(depth: 0)
            syntax.skipSpace()
            if syntax.offset < syntax.bytes.count { throw syntax.expected("the end") }
            return nil
        } catch {
            return syntax.error(problem: error)
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func error(problem: Problem) -> QueryError {
        let before = bytes[..<problem.offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let rest = String(decoding: bytes[problem.offset...].prefix(16), as: UTF8.self)
        let found = rest.first.map { "\"\($0)\"" } ?? "the end"
        let place = line > 1 ? " in line \(line)" : ""
        return QueryError(
            "The body is not JSON. Expected \(problem.expected), found \(found)\(place).",
            at: .column(String(decoding: before, as: UTF8.self).count + 1, length: 1))
    }

    private func expected(_ what: String) -> Problem {
        Problem(offset: offset, expected: what)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(Problem) {
        guard depth <= Self.depthLimit else { throw expected("at most \(Self.depthLimit) levels") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): try text()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func object(depth: Int) throws(Problem) {
        offset += 1
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw expected("a key in quotes") }
            try text()
            skipSpace()
            guard take(":") else { throw expected("a colon") }
            try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw expected("a comma or }") }
    }

    private mutating func array(depth: Int) throws(Problem) {
        offset += 1
        skipSpace()
        if take("]") { return }
        repeat {
            try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("]") else { throw expected("a comma or ]") }
    }

    private mutating func word(_ word: String) throws(Problem) {
        guard bytes[offset...].starts(with: word.utf8) else { throw expected("a value") }
        offset += word.utf8.count
    }

    private var isAtDigit: Bool { next.map { (0x30...0x39).contains($0) } ?? false }

    private mutating func digits() throws(Problem) {
        guard isAtDigit else { throw expected("a digit") }
        while isAtDigit { offset += 1 }
    }

    private mutating func number() throws(Problem) {
        guard next == UInt8(ascii: "-") || isAtDigit else {
            throw expected("a value")
        }
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func text() throws(Problem) {
        offset += 1
        while true {
            guard let byte = next else { throw expected("a closing quote") }
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case ..<0x20: throw expected("an escape in place of a control character")
            case ..<0x80: offset += 1
            default: try character()
            }
        }
    }

    private mutating func escape() throws(Problem) {
        offset += 1
        guard let byte = next else { throw expected("an escaped character") }
        guard byte == UInt8(ascii: "u") else {
            guard #""\/bfnrt"#.utf8.contains(byte) else { throw expected("one of \" \\ / b f n r t u") }
            offset += 1
            return
        }
        offset += 1
        for _ in 0..<4 {
            guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit else {
                throw expected("four hexadecimal digits")
            }
            offset += 1
        }
    }

    /// A character of several bytes.
    private mutating func character() throws(Problem) {
        for length in 2...4 where offset + length <= bytes.count {
            if let text = String(validating: bytes[offset..<(offset + length)], as: UTF8.self),
                text.unicodeScalars.count == 1
            {
                offset += length
                return
            }
        }
        throw expected("UTF-8")
    }
}
