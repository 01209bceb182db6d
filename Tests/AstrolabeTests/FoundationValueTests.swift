import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import Astrolabe

@Suite struct `Values of Objective-C` {
    @Test func `become attributes of the type that they were made of`() throws {
        let url = try #require(URL(string: "https://shop.example/a"))
        let values: [String: Any] = [
            "text": "a", "yes": NSNumber(value: true), "int": NSNumber(value: 3), "one": NSNumber(value: 1),
            "double": NSNumber(value: 57.08), "large": NSNumber(value: UInt64.max),
            "date": Date(timeIntervalSince1970: 0), "url": url, "data": Data([1, 2]),
            "list": ["a", NSNumber(value: 2)],
            "map": ["b": NSNumber(value: 1), "a": "x"], "null": NSNull(),
        ]
        let expected: Attributes = [
            "data": AttributeValue.bytes([1, 2]), "date": "1970-01-01T00:00:00Z", "double": 57.08, "int": 3,
            "large": AttributeValue.int(.max), "list": AttributeValue.array(["a", 2]),
            "map": AttributeValue.map(["a": "x", "b": 1]),
            "one": 1, "text": "a", "url": "https://shop.example/a", "yes": true,
        ]
        #expect(FoundationValues.attributes(values) == expected)
    }

    @Test func `are left out if they lie too deep`() {
        var value: Any = "end"
        for _ in 0..<20 { value = [value] }
        let attributes = FoundationValues.attributes(["deep": value])
        #expect(!"\(attributes)".contains("end"))
        #expect(attributes.count == 1)
    }
}
