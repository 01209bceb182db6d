import Astrolabe
import AstrolabePlatform
import Foundation
import Logging
import Testing
import Tracing

@testable import AstrolabeBridges

@Suite struct BridgedLogHandlerTests {
    private struct Unreachable: LocalizedError {
        var errorDescription: String? { "the server could not be reached" }
    }

    let recorder = BridgeRecorder()

    private func logger(_ change: (inout BridgedLogHandler) -> Void = { _ in }) -> Logging.Logger {
        var handler = recorder.bridge.logHandler(label: "shop.cart")
        handler.logLevel = .trace
        change(&handler)
        return Logging.Logger(label: "shop.cart") { _ in handler }
    }

    @Test(arguments: [
        (Logging.Logger.Level.trace, Severity.trace), (.debug, .debug), (.info, .info), (.notice, .info),
        (.warning, .warn),
        (.error, .error), (.critical, .fatal),
    ])
    func `levels are severities`(level: Logging.Logger.Level, severity: Severity) throws {
        logger().log(level: level, "any")
        let record = try recorder.logLines.only.record
        #expect(record.severityNumber == severity.rawValue && record.severityText == severity.text)
        #expect(record.body == "any")
    }

    @Test func `the label is the scope`() throws {
        logger().info("any")
        #expect(try recorder.logLines.only.scope == "shop.cart")
    }

    @Test func `the scope has the version of the handler`() throws {
        Logging.Logger(label: "shop") { recorder.bridge.logHandler(label: $0, version: "2.1.0") }.info("any")
        Logging.Logger(label: "library") { recorder.bridge.logHandler(label: $0) }.info("any")
        #expect(try recorder.logLines.map(\.version) == ["2.1.0", ""])
    }

    @Test func `what is below the level is not recorded`() throws {
        var logger = logger { $0.logLevel = .warning }
        logger.info("quiet")
        logger.warning("loud")
        logger.logLevel = .debug
        logger.debug("also loud")
        #expect(try recorder.logLines.map(\.record.body) == ["loud", "also loud"])
    }

    @Test
    func `metadata of every form are attributes; the line's win over the provider's, and those over the logger's`()
        throws
    {
        var logger = logger {
            $0.metadataProvider = Logging.Logger.MetadataProvider { ["b": "provider", "c": "provider"] }
        }
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info(
            "any",
            metadata: [
                "c": "line", "list": ["x", "y"], "map": ["k": "v", "l": ["z"]],
            ])
        let attributes = try recorder.logLines.only.record.attributes
        #expect(attributes["a"] == "logger" && attributes["b"] == "provider" && attributes["c"] == "line")
        #expect(attributes["list"] == ["x", "y"])
        #expect(attributes["map"] == .map(["k": "v", "l": ["z"]]))
    }

    static let typedValues: [(Logging.Logger.MetadataValue, AttributeValue)] = [
        (.stringConvertible(7), .int(7)), (.stringConvertible(UInt8(7)), .int(7)),
        (.stringConvertible(UInt64.max), .string("18446744073709551615")),
        (.stringConvertible(46_379.01), .double(46_379.01)), (.stringConvertible(Float(0.5)), .double(0.5)),
        (.stringConvertible(true), .bool(true)), (.stringConvertible("7"), .string("7")),
        (.stringConvertible(Substring("seven")), .string("seven")), (.string("7"), .string("7")),
        (.array([.stringConvertible(7), .string("x")]), .array([.int(7), .string("x")])),
        (.dictionary(["count": .stringConvertible(7)]), .map(["count": 7])),
    ]

    @Test(arguments: typedValues)
    func `numbers and truth values keep their types`(
        metadata: Logging.Logger.MetadataValue, attribute: AttributeValue,
    ) throws {
        logger().info("any", metadata: ["demo.value": metadata])
        #expect(try recorder.logLines.only.record.attributes["demo.value"] == attribute)
    }

    @Test func `warnings tell where they come from, and other lines on request`() throws {
        logger().info("quiet")
        logger().warning("loud")
        logger { $0.sourceLocationLevel = .trace }.info("asked")
        let records = try recorder.logLines.map(\.record)
        #expect(records[0].attributes["code.file.path"] == nil)
        for record in records.dropFirst() {
            #expect(record.attributes["code.file.path"]?.stringValue?.hasSuffix("BridgedLogHandlerTests.swift") == true)
            #expect(try #require(record.attributes["code.line.number"]?.intValue) > 0)
            #expect(record.attributes["code.function.name"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func `an error is told by its type and message`() throws {
        logger().error("upload failed", error: Unreachable())
        let attributes = try recorder.logLines.only.record.attributes
        #expect(attributes["exception.message"] == "the server could not be reached")
        #expect(attributes["exception.type"] == "AstrolabeBridgesTests.BridgedLogHandlerTests.Unreachable")
    }

    @Test func `a line belongs to the current span of either API`() throws {
        let logger = logger()
        recorder.tracer.withSpan("theirs") { _ in logger.info("theirs") }
        recorder.telemetry.tracer("ours").withSpan("ours") { _ in logger.info("ours") }
        logger.info("none")
        let records = try recorder.logLines.map(\.record)
        #expect(records[0].spanID == (try recorder.span("theirs").context.spanID))
        #expect(records[1].spanID == (try recorder.span("ours").context.spanID))
        #expect(records[2].spanID == .invalid)
    }

    @Test func `lines from the level on are mirrored, redacted`() throws {
        let lines = Locked<[String]>([])
        let mirror = BridgedLogHandler.Mirror(level: .warning) { line in lines.withLock { $0.append(line) } }
        var handler = BridgedLogHandler(recorder.telemetry.logger("shop"), label: "shop", mirror: mirror)
        handler.logLevel = .trace
        let logger = Logging.Logger(label: "shop") { [handler] _ in handler }
        logger.info("not mirrored")
        logger.warning(
            "card 4111 1111 1111 1111 refused", metadata: ["user.email": "ada@example.com", "attempt": "2"])
        #expect(lines.withLock { $0 } == ["warning [shop] card REDACTED refused attempt=2 user.email=REDACTED"])
        let record = try #require(try recorder.logLines.last?.record)
        #expect(record.body == "card REDACTED refused")
        #expect(record.attributes["user.email"] == "REDACTED")
    }

    @Test func `a disabled SDK mirrors all the same, redacted`() {
        let lines = Locked<[String]>([])
        let mirror = BridgedLogHandler.Mirror(level: .info) { line in lines.withLock { $0.append(line) } }
        let handler = BridgedLogHandler(.disabled, label: "shop", mirror: mirror)
        Logging.Logger(label: "shop") { _ in handler }.info("mail to ada@example.com", metadata: ["password": "x"])
        #expect(lines.withLock { $0 } == ["info [shop] mail to REDACTED password=REDACTED"])
    }

    @Test func `handlers are values: what one changes another keeps`() {
        let first = recorder.bridge.logHandler(label: "any")
        var second = first
        second[metadataKey: "a"] = "b"
        second.logLevel = .critical
        #expect(first[metadataKey: "a"] == nil && first.logLevel == .info)
        #expect(second[metadataKey: "a"] == "b")
    }
}
