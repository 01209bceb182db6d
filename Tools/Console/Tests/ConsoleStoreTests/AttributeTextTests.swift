import AstrolabeTelemetryModel
import ConsoleStore
import Testing

@Suite
struct AttributeTextTests {
    @Test
    func `attributes come back as they went in, type by type`() throws {
        let attributes: Attributes = [
            "string": "Grüße, \"Welt\"\n\t\u{1}\u{1F52D}", "bool": true, "int": -3, "zero": 0,
            "exact": 9_007_199_254_740_992, "large": 9_007_199_254_740_993, "least": .int(.min), "double": 3.0,
            "small": 1e-30, "negative zero": .double(-0.0), "infinite": .double(.infinity),
            "bytes": .bytes([0, 255, 16]),
            "empty": .empty, "array": [1, "two", 3.5, .array([])], "$odd key": 1,
            "map": .map(["nested": .map(["deep": 1]), "$bytes": "not bytes", "$$twice": 2]), "no map": .map([:]),
        ]
        var text = JSONText()
        text.append(attributes)
        #expect(JSONText.attributes(in: text.string) == attributes)
    }

    @Test
    func `not a number stays not a number`() throws {
        var text = JSONText()
        text.append(AttributeValue.double(.nan))
        let value = try #require(JSONText.value(in: text.string)?.doubleValue)
        #expect(value.isNaN)
    }

    @Test(arguments: ["", "{", "{\"a\":}", "[1,2", "{\"a\":1}x", "\"\\u12\"", "{\"a\":{\"$bytes\":\"0\"}}", "nul"])
    func `text that is not such JSON is nil and no trap`(text: String) {
        #expect(JSONText.attributes(in: text) == nil)
    }

    @Test
    func `what nests deeper than the limit is cut, not overflowed`() {
        var value: AttributeValue = 1
        for _ in 0..<200 { value = .array([value]) }
        var text = JSONText()
        text.append(value)
        #expect(JSONText.value(in: text.string) != nil)
    }
}
