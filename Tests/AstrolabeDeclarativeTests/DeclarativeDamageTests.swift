import Astrolabe
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDeclarative

/// Reads a file and applies it, as `load` does.
private func read(_ data: Data) throws(ConfigurationError) {
    var file = try DeclarativeConfiguration(data, name: "otel.json", environment: ["NAME": "value"])
    var configuration = TelemetryConfiguration()
    try file.apply(to: &configuration)
    _ = configuration.bounded
}

private func problem(_ data: Data) -> ConfigurationError? {
    do throws(ConfigurationError) {
        try read(data)
        return nil
    } catch {
        return error
    }
}

@Suite struct `Damaged declarative configuration` {
    @Test func `refuses random bytes with the file's name and what was expected`() {
        let tokens = [
            "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u", "0", "-", ".", "e", "true", "null", " ", "${", "}", "$$",
        ]
        var random = SeededGenerator(seed: 20_261_125)
        for _ in 0..<Thoroughness.count(2_000, thorough: 20_000) {
            // Most begin well, because the reader stops at the first byte that is wrong.
            let beginning =
                ["", "{\"file_format\"", "{\"a\": \"", "[1, ", "[[\"\\u"].randomElement(using: &random) ?? ""
            var bytes = Array(beginning.utf8)
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                } else {
                    bytes += Array((tokens.randomElement(using: &random) ?? "").utf8)
                }
            }
            let error = problem(Data(bytes))
            #expect(error?.source.hasPrefix("otel.json") == true, "\(bytes)")
            #expect(
                error?.problem.lowercased().contains("expected ") == true,
                "\(error?.description ?? "no error"): \(bytes)")
        }
    }

    @Test func `reads or refuses a file with one value that is wrong, and names the key`() throws {
        let whole = try JSONSerialization.jsonObject(with: Data(DeclarativeExample.whole.utf8))
        let values = [
            "null", "true", "-1", "0", "0.5", "9223372036854775807", "1e400", "\"\"", "\"text\"", "\"${NAME}\"",
            "\"${ABSENT}\"", "[]", "[[]]", "[null]", "{}", "{\"a\": 1}",
        ]
        // By default each place gets a few of the values, the next place others.
        let step = Thoroughness.count(5, thorough: 1)
        var refusals = 0
        var attempts = 0
        var index = 0
        while let damaged = replacing(index, in: whole) {
            let text = String(decoding: try JSONSerialization.data(withJSONObject: damaged), as: UTF8.self)
            for value in stride(from: index % step, to: values.count, by: step).map({ values[$0] }) {
                attempts += 1
                guard let error = problem(Data(text.replacingOccurrences(of: "\"@\"", with: value).utf8)) else {
                    continue
                }
                refusals += 1
                #expect(error.source.hasPrefix("otel.json:1:"), "\(error)")
                #expect(!error.key.isEmpty || error.problem.contains("exactly one of"), "\(error)")
                #expect(!error.problem.isEmpty)
            }
            index += 1
        }
        #expect(index > 50)
        #expect(refusals > attempts / 2, "\(refusals) of \(attempts)")
    }

    /// The value with `"@"` in the place of one value inside of it; `nil` if it has fewer values.
    private func replacing(_ index: Int, in value: Any) -> Any? {
        var rest = index
        let result = replacing(&rest, in: value)
        return rest < 0 ? result : nil
    }

    private func replacing(_ rest: inout Int, in value: Any) -> Any {
        switch value {
        case let object as [String: Any]:
            var object = object
            for key in object.keys.sorted() where rest >= 0 {
                guard let inner = object[key] else { continue }
                object[key] = replaced(&rest, inner)
            }
            return object
        case let array as [Any]:
            var array = array
            for index in array.indices where rest >= 0 { array[index] = replaced(&rest, array[index]) }
            return array
        default: return value
        }
    }

    private func replaced(_ rest: inout Int, _ value: Any) -> Any {
        rest -= 1
        return rest < 0 ? "@" : replacing(&rest, in: value)
    }
}
