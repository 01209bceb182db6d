import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Testing

@Suite
struct AttributeTextTests {
    @Test
    func `attributes of every type survive a round trip`() throws {
        let attributes: Attributes = [
            "string": "Grüße, \"Welt\"\n\t\u{1}\u{1F52D}", "bool": true, "int": -3, "zero": 0,
            "exact": 9_007_199_254_740_992, "large": 9_007_199_254_740_993, "least": Int64.min, "double": 3.0,
            "small": 1e-30, "negative zero": -0.0, "infinite": Double.infinity,
            "bytes": AttributeValue.bytes([0, 255, 16]),
            "empty": AttributeValue.empty, "array": AttributeValue.array([1, "two", 3.5, .array([])]), "$odd key": 1,
            "map": AttributeValue.map(["nested": AttributeValue.map(["deep": 1]), "$bytes": "not bytes", "$$twice": 2]),
            "no map": AttributeValue.map([:]),
        ]
        var text = JSONText()
        text.append(attributes)
        #expect(JSONText.attributes(in: text.string) == attributes)
    }

    @Test
    func `NaN survives a round trip`() throws {
        var text = JSONText()
        text.append(AttributeValue.double(.nan))
        let value = try #require(JSONText.value(in: text.string)?.doubleValue)
        #expect(value.isNaN)
    }

    @Test(arguments: ["", "{", "{\"a\":}", "[1,2", "{\"a\":1}x", "\"\\u12\"", "{\"a\":{\"$bytes\":\"0\"}}", "nul"])
    func `invalid text returns nil`(text: String) {
        #expect(JSONText.attributes(in: text) == nil)
    }

    @Test
    func `values beyond the depth limit are truncated`() {
        var value: AttributeValue = 1
        for _ in 0..<200 { value = .array([value]) }
        var text = JSONText()
        text.append(value)
        #expect(JSONText.value(in: text.string) != nil)
    }
}
