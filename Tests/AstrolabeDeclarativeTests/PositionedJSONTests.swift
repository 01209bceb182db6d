import Astrolabe
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDeclarative

private func read(_ text: String, _ environment: [String: String] = [:]) throws -> ConfigurationNode {
    try PositionedJSON.read(
        ConfigurationSource(name: "otel.json", bytes: Array(text.utf8)), environment: environment)
}

@Suite struct `Positioned JSON` {
    @Test func `keeps every value, and the place of keys and values`() throws {
        let text = "{\n  \"a\": [true, null, -1.5e3],\n  \"é\": {\"b\": \"x\\n\\u00e9\\ud83d\\ude00\"}\n}"
        let root = try read(text)
        #expect(root["a"]?.elements.map(\.kind) == ["true or false", "null", "the number -1.5e3"])
        #expect(root["a"]?.elements.last?.number == -1500 && root["a"]?.elements.last?.integer == -1500)
        let inner = try #require(root["é"]?["b"])
        #expect(inner.text == "x\né😀")
        #expect(inner.path.description == "é.b")
        let source = ConfigurationSource(name: "otel.json", bytes: Array(text.utf8))
        #expect(source.place(inner.offset) == "otel.json:3:14")
        #expect(source.place(try #require(root.members.last?.offset)) == "otel.json:3:3")
    }

    @Test(arguments: [
        ("", "otel.json:1:1: expected a JSON value, such as an object, a string in double quotes or a number"),
        ("{\n \"a\" 1}", "otel.json:2:6: a: expected a colon after the key"),
        ("{\"a\": {\"b\": 01}}", "otel.json:1:13: a.b: expected a number such as 5000 or 0.25"),
        ("{\"a\": 1,\n\"a\": 2}", "otel.json:2:1: a: expected each key once, found it twice. Remove one of them."),
        ("{\"a\": [1 2]}", "otel.json:1:10: a: expected a comma or ] after an element"),
        ("{\"a\": 1 \"b\": 2}", "otel.json:1:9: expected a comma or } after a member"),
        ("{a: 1}", "otel.json:1:2: expected a key in double quotes"),
        ("{} {}", "otel.json:1:4: expected the end of the file after the object"),
        ("[\"\\x\"]", "otel.json:1:3: [0]: expected an escape such as \\n, \\\" or \\u00e9"),
        (
            "[\"abc", "otel.json:1:6: [0]: expected a double quote at the end of the string, found the end of the file",
        ),
    ])
    func `names the line, the column and the key of what is wrong`(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description == message)
    }

    @Test func `names the place of a reference that is not valid`() {
        let error = #expect(throws: ConfigurationError.self) { try read("{\"a\": \"${1}\"}") }
        #expect(error?.description.hasPrefix("otel.json:1:7: a: expected a reference such as ${NAME}") == true)
    }

    @Test func `refuses what is too deep or too large`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(#expect(throws: ConfigurationError.self) { try read(deep) }?.description.contains("32 levels") == true)
        let large = String(repeating: " ", count: PositionedJSON.sizeLimit + 1)
        let error = #expect(throws: ConfigurationError.self) { try read(large) }
        #expect(error?.description == "otel.json: expected at most 1048576 bytes, found more")
    }

    @Test func `refuses each beginning of a file`() {
        let whole = Array(#"{"a": [-1.5e+3, true, null, {"b": "\n\u00e9\ud83d\ude00"}], "é": false}"#.utf8)
        for count in 0..<whole.count {
            let source = ConfigurationSource(name: "short.json", bytes: Array(whole[..<count]))
            #expect(throws: ConfigurationError.self) { try PositionedJSON.read(source, environment: [:]) }
        }
    }

    @Test func `reads or refuses damaged files, as Foundation's reader does`() throws {
        let whole = Array(#"{"a": [1, 2.5, -3e2, true, null], "b": {"c": "d\n\u00e9", "e": []}, "f": false}"#.utf8)
        let marks = Array("{}[]\",:\\0eE.-u$ntf\n\u{1}".utf8) + [0xFF, 0xC3]
        var random = SeededGenerator(seed: 20_261_125)
        var refusals = 0
        let count = Thoroughness.count(2_000, thorough: 20_000)
        for _ in 0..<count {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = marks.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: index)
                default: bytes.insert(marks.randomElement(using: &random) ?? 0, at: index)
                }
            }
            let source = ConfigurationSource(name: "damaged.json", bytes: bytes)
            if (try? PositionedJSON.read(source, environment: [:])) == nil {
                refusals += 1
            } else {
                let foundation = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                #expect(foundation != nil, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(refusals > count / 20 && refusals < count)
    }
}

@Suite struct `Environment substitution` {
    private static let environment = [
        "STRING": "value", "BOOL": "true", "INT": "1", "HEX": "0xff", "NESTED": "${SECRET}", "SECRET": "never",
        "ESCAPED": "value$$", "EMPTY": "",
    ]

    @Test(arguments: [
        ("${STRING}", "value"), ("${env:STRING}", "value"), ("a ${STRING} ${INT}", "a value 1"), ("${ABSENT}", ""),
        ("${ABSENT:-fallback}", "fallback"), ("${EMPTY:-fallback}", "fallback"), ("${NESTED}", "${SECRET}"),
        ("${ABSENT:-${STRING}}", "${STRING}"), ("$${STRING}", "${STRING}"), ("$$${STRING}", "$value"),
        ("$$$${STRING}", "$${STRING}"), ("$${STRING:-fallback}", "${STRING:-fallback}"),
        ("$${STRING:-${STRING}}", "${STRING:-value}"), ("${ABSENT:-$${ABSENT}}", "${ABSENT:-${ABSENT}}"),
        ("${ESCAPED}", "value$$"), ("a $$ b", "a $ b"), ("a $ b", "a $ b"), ("$", "$"), ("${", "${"), ("${}", "${}"),
    ])
    func `follows the specification's table`(input: String, output: String) throws {
        #expect(try EnvironmentSubstitution(environment: Self.environment).apply(to: input).text == output)
    }

    @Test(arguments: ["${STRING:?error}", "${1STRING}", "${API_$KEY}", "${sys:STRING}", "${:-a}", "${env:}"])
    func `refuses a reference that is not valid`(input: String) {
        #expect(throws: EnvironmentSubstitution.InvalidReference.self) {
            try EnvironmentSubstitution(environment: Self.environment).apply(to: input)
        }
    }

    @Test func `gives a value the type that the key expects, and leaves keys and other texts alone`() throws {
        let root = try read(
            #"{"b": "${BOOL}", "i": "${INT}", "h": "${HEX}", "n": "${ABSENT}", "t": "1", "${STRING}": 1}"#,
            Self.environment)
        #expect(root["b"]?.bool == true)
        #expect(root["i"]?.integer == 1 && root["i"]?.number == 1)
        #expect(root["h"]?.integer == 255)
        #expect(root["n"] == nil)
        #expect(root["t"]?.integer == nil && root["t"]?.text == "1")
        #expect(root["${STRING}"]?.integer == 1)
    }
}
