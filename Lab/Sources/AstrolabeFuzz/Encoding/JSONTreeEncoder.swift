/// Writes a tree as OTLP/JSON: plainly, or in one of the many other ways that mean the same.
package struct JSONTreeEncoder {
    private var random: Randomness
    /// The probability, in percent, that a plain form is replaced by another one.
    private let oddity: Int

    package init(random: Randomness, oddity: Int) {
        self.random = random
        self.oddity = oddity
    }

    package mutating func encode(_ tree: Tree) -> [UInt8] {
        Array(object(tree).utf8)
    }

    private mutating func object(_ tree: Tree) -> String {
        var members: [String] = []
        var repeated: [UInt32] = []
        for field in isOdd() ? tree.fields.shuffled(using: &random) : tree.fields {
            if isOdd() { members.append(unknownMember()) }
            let name = isOdd() ? field.spec.name : field.spec.jsonName
            if field.spec.isRepeated {
                // All elements come with the first, in their own order.
                guard !repeated.contains(field.spec.number) else { continue }
                repeated.append(field.spec.number)
                let elements = tree.fields.filter { $0.spec.number == field.spec.number }
                if isOdd() { members.append(member(name, "[]")) }
                members.append(member(name, array(elements.map { value($0) })))
            } else {
                if isOdd() { members.append(member(name, "null")) }
                if isOdd() { members.append(member(name, value(field))) }
                members.append(member(name, value(field)))
            }
        }
        return "{" + space() + members.joined(separator: "," + space()) + space() + "}"
    }

    private mutating func value(_ field: Tree.Field) -> String {
        switch (field.spec.kind, field.value) {
        case (.text, .bytes(let bytes)), (.traceState, .bytes(let bytes)):
            return quoted(String(decoding: bytes, as: UTF8.self))
        case (.traceID, .bytes(let bytes)), (.spanID, .bytes(let bytes)):
            let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: isOdd()) }.joined()
            return "\"" + hex + "\""
        case (_, .bytes(let bytes)): return base64(bytes)
        case (.bool, .number(let value)): return value == 0 ? "false" : "true"
        case (.int64, .number(let value)), (.sfixed64, .number(let value)):
            return integer(String(Int64(bitPattern: value)))
        case (.fixed64, .number(let value)): return integer(String(value))
        case (.enumeration(let names), .number(let value)):
            return isOdd() ? quoted(names[Int(value)]) : String(value)
        case (.sint32, .number(let value)):
            return String(Int32(bitPattern: UInt32(value) >> 1) ^ -Int32(value & 1))
        case (.double, .number(let bits)): return double(Double(bitPattern: bits))
        case (_, .number(let value)): return isOdd() ? "\"\(value)\"" : String(value)
        case (.packedDouble, .packed(let values)):
            return array(values.map { double(Double(bitPattern: $0)) })
        case (_, .packed(let values)): return array(values.map { integer(String($0)) })
        case (_, .message(let tree)): return object(tree)
        }
    }

    private mutating func integer(_ digits: String) -> String {
        isOdd() ? digits : "\"\(digits)\""
    }

    private mutating func double(_ value: Double) -> String {
        switch value {
        case .infinity: "\"Infinity\""
        case -.infinity: "\"-Infinity\""
        case _ where value.isNaN: "\"NaN\""
        default: isOdd() ? "\"\(value)\"" : "\(value)"
        }
    }

    private mutating func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (isOdd() ? "-_" : "+/"))
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.enumerated().reduce(0) { $0 | Int($1.element) << (16 - $1.offset * 8) }
            for index in 0...part.count { text.append(alphabet[bits >> (18 - index * 6) & 63]) }
        }
        let padding = isOdd() ? "" : String(repeating: "=", count: (3 - bytes.count % 3) % 3)
        return "\"" + text + padding + "\""
    }

    private mutating func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                quoted += "\\\(scalar)"
            } else if scalar.value < 0x20 || isOdd() {
                for unit in String(scalar).utf16 {
                    let hex = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private mutating func unknownMember() -> String {
        let value = random.pick([
            "1", "-0.5e+3", "null", "[[], {}]", "{\"traceId\": [\"]\"]}", "\"\\ud83d\\ude00\"", "true",
        ])
        return member("x\(random.below(100))", value)
    }

    private mutating func member(_ name: String, _ value: String) -> String {
        quoted(name) + space() + ":" + space() + value
    }

    private mutating func array(_ elements: [String]) -> String {
        "[" + space() + elements.joined(separator: space() + ",") + "]"
    }

    private mutating func space() -> String {
        isOdd() ? random.pick([" ", "\n", "\t\r", "  "]) : ""
    }

    private mutating func isOdd() -> Bool {
        oddity > 0 && random.chance(oddity)
    }
}
