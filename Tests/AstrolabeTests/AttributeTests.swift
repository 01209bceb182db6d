import Astrolabe
import AstrolabeTesting
import Foundation
import Testing

/// A plain import of the SDK, as an app has it: values are variables of the app's own types.
@Suite struct `Attributes in an app` {
    private let count: UInt16 = 3
    private let share: Float = 0.5
    private let tags = ["travel", "optics"]
    private let coupon: String? = nil
    private let product: String? = "OLJCESPC7Z"

    private var expected: Attributes {
        ["count": 3, "share": 0.5, "tags": ["travel", "optics"], "product": "OLJCESPC7Z"]
    }

    @Test func `a span takes variables of any convertible type, and nil sets nothing`() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.tracer("shop").withSpan("set") { span in
            span.setAttribute("count", count)
            span.setAttribute("share", share)
            span.setAttribute("tags", tags)
            span.setAttribute("coupon", coupon)
            span.setAttribute("product", product)
            span.setAttribute(AttributeKey.httpRequestMethod, "GET")
            span["sugar"] = count
            span["none"] = coupon
        }
        await telemetry.shutdown()
        let attributes = try #require(collector.spans(named: "set").first).attributes
        for element in expected { #expect(attributes[element.key] == element.value) }
        #expect(attributes["coupon"] == nil)
        #expect(attributes["http.request.method"] == "GET")
        #expect(attributes["sugar"] == 3)
        #expect(attributes["none"] == nil)
    }

    @Test func `a literal takes variables, and a dictionary becomes attributes`() {
        let literal: Attributes = ["count": count, "share": share, "tags": tags, "coupon": coupon, "product": product]
        #expect(literal == expected)
        #expect(Attributes(["b": "2", "a": "1"]) == ["a": "1", "b": "2"])
        let values: [String: AttributeValue] = ["b": true, "a": 1]
        #expect(Attributes(values) == ["a": 1, "b": true])
    }

    @Test func `each number of Swift and Foundation is a value`() {
        let whole: Attributes = [
            "i": Int(1), "i8": Int8(1), "i16": Int16(1), "i32": Int32(1), "i64": Int64(1), "u": UInt(1), "u8": UInt8(1),
            "u16": UInt16(1), "u32": UInt32(1), "u64": UInt64(1),
        ]
        for element in whole { #expect(element.value == 1, "\(element.key)") }
        let parts: Attributes = ["double": Double(0.5), "float": Float(0.5), "points": CGFloat(0.5)]
        for element in parts { #expect(element.value == 0.5, "\(element.key)") }
        let largest: Attributes = ["u64": UInt64.max]
        #expect(largest["u64"] == AttributeValue.int(.max))
    }

    @Test func `values nest by literals`() {
        let nested: Attributes = ["cart": ["items": 2, "coupons": 1], "tags": ["a", "b"]]
        #expect(nested["cart"] == AttributeValue.map(["coupons": 1, "items": 2]))
        let mixed: AttributeValue = ["id": "OLJCESPC7Z", "count": 3, "sizes": [1, 2.5], "price": ["amount": 101.96]]
        guard case .map(let map) = mixed else {
            Issue.record("\(mixed) is no map")
            return
        }
        #expect(map.map(\.key) == ["id", "count", "sizes", "price"])
        #expect(map["price"] == AttributeValue.map(["amount": 101.96]))
        #expect(Attributes(["b": [1], "a": [2]]) == ["a": [2], "b": [1]])
    }

    @Test func `all records take an attribute until it is removed`() async throws {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.setAttribute("demo.variant", product)
        telemetry.setAttribute("demo.variant", coupon)
        telemetry.tracer("shop").withSpan("with") { _ in }
        telemetry.removeAttribute("demo.variant")
        telemetry.tracer("shop").withSpan("without") { _ in }
        await telemetry.shutdown()
        #expect(collector.spans(named: "with").first?.attributes["demo.variant"] == "OLJCESPC7Z")
        #expect(collector.spans(named: "without").first?.attributes["demo.variant"] == nil)
    }

    @Test func `a logger writes lines of each severity with attributes`() async {
        let collector = TelemetryCollector()
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        let logger = telemetry.logger("checkout")
        logger.trace("trace")
        logger.debug("debug")
        logger.info("info")
        logger.warn("warning", ["demo.attempt": count])
        logger.error("error")
        logger.fatal("fatal")
        await telemetry.shutdown()
        let lines = collector.events(named: "").sorted { $0.severityNumber < $1.severityNumber }
        #expect(lines.map(\.severityNumber) == [1, 5, 9, 13, 17, 21])
        #expect(lines.map(\.body) == ["trace", "debug", "info", "warning", "error", "fatal"])
        #expect(lines.first { $0.severityNumber == 13 }?.attributes["demo.attempt"] == 3)
    }
}
