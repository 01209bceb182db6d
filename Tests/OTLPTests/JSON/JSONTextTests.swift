import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeOTLP

@Suite struct `JSON text` {
    private func body(_ string: String) throws -> AttributeValue? {
        try Reading.value(json: #"{"stringValue":"\#(string)"}"#)
    }

    @Test func `resolves every escape`() throws {
        #expect(
            try body(#"\" \\ \/ \b \f \n \r \t \u0041 \u00e9 \u65E5 \uD83D\uDD2D \u0000"#)
                == "\" \\ / \u{08} \u{0C} \n \r \t A é 日 🔭 \u{0}")
        #expect(try body("naïve 🔭") == "naïve 🔭")
    }

    @Test(arguments: [
        #"\x"#, #"\u12"#, #"\u12G4"#, #"\uD83D"#, #"\uD83Dx"#, #"\uD83D\n"#, #"\uDD2D"#, #"\uDD2D\uD83D"#,
        #"\uD83D\uD83D"#, #"\U0041"#,
    ])
    func `refuses other escapes, and surrogates alone`(text: String) throws {
        let error = try refusal { try body("abc" + text) }
        #expect(error.path.hasSuffix("body.stringValue"))
        #expect(throws: OTLPDecodingError.self, "also where nobody wants the text") {
            try Reading.log(json: #""unknown": ["\#(text)"]"#)
        }
    }

    @Test func `refuses control characters, naming the byte`() throws {
        let request = Reading.request("Logs", "logRecords", "\"severityText\": \"a\nb\"")
        let error = try refusal { try OTLPDecoder.logs(json: request) }
        #expect(request[error.offset] == 0x0A)
    }

    @Test func `refuses what is not UTF-8, in values, keys and unknown fields`() throws {
        for member in ["\"severityText\":\"?\"", "\"?\":1", "\"unknown\":{\"?\":\"x\"}", "\"unknown\":[\"\\n?\"]"] {
            let request = Reading.request("Logs", "logRecords", member).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
            let error = try refusal { try OTLPDecoder.logs(json: request) }
            #expect(error.reason == "expected UTF-8, got an invalid byte sequence")
            #expect(request[error.offset] == 0xFF)
        }
    }

    @Test(arguments: [
        ("", "expected an object, got the end"), ("[]", "expected an object, got an array"),
        ("{", "expected a key in double quotes, got the end"), ("{}}", "expected nothing after the request, got '}'"),
        ("{} x", "expected nothing after the request, got another character"),
        ("null", "expected an object, got a literal"),
        (#"{"a":1,}"#, "expected a key in double quotes, got '}'"), (#"{"a" 1}"#, "expected ':', got a number"),
        (#"{"a":1 "b":2}"#, "expected ',' or '}', got a string"), (#"{"a":[1,]}"#, "expected an element, got ']'"),
        (#"{"a":[1 2]}"#, "expected ',' or ']', got a number"), (#"{"a":}"#, "expected a number, got '}'"),
        (#"{"a":tru}"#, "expected a number, got a literal"),
        (#"{'a':1}"#, "expected a key in double quotes, got another character"),
        (#"{"a":"x"#, "expected a closing quote, the text ends within the string"),
        (#"{"a":"x\"#, "expected a closing quote, the text ends within the string"),
        (#"{"resourceLogs":{}}"#, "expected an array, got an object"),
        (#"{"resourceLogs":[null]}"#, "expected an object, got a literal"),
        ("\u{FEFF}{}", "expected an object, got another character"),
    ])
    func `refuses what is not JSON, in words`(text: String, reason: String) throws {
        #expect(try refusal { try OTLPDecoder.logs(json: Array(text.utf8)) }.reason == reason)
    }

    @Test func `names the element and the member at fault`() throws {
        let request = #"{"resourceSpans":[{},{"scopeSpans":[{"spans":[{"trace_id":"00"}]}]}]}"#
        let error = try refusal { try OTLPDecoder.traces(json: Array(request.utf8)) }
        #expect(error.path == "resourceSpans[1].scopeSpans[0].spans[0].traceId")
    }

    @Test func `does not repeat names that might be secrets`() throws {
        let request = #"{"card 4111 1111 1111 1111": tru}"#
        #expect(try refusal { try OTLPDecoder.logs(json: Array(request.utf8)) }.path == "(unknown)")
    }

    @Test func `nests to a limit, and a million brackets end neither the stack nor the time`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                ("{\"x\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}").utf8)
        }
        #expect(try OTLPDecoder.logs(json: nested(NestingLimit.unknownField)).isEmpty)
        #expect(throws: OTLPDecodingError.self) { try OTLPDecoder.logs(json: nested(NestingLimit.unknownField + 1)) }
        #expect(throws: OTLPDecodingError.self) { try OTLPDecoder.logs(json: nested(1_000_000)) }
    }

    @Test func `holds values 32 deep and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            (0..<depth).reduce("{}") { value, _ in #"{"arrayValue":{"values":[\#(value)]}}"# }
        }
        _ = try Reading.value(json: nested(32))
        #expect(try refusal { try Reading.value(json: nested(33)) }.reason == "expected values to nest at most 32 deep")
    }
}
