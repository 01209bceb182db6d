import AstrolabeOTLP
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeRecording

@Suite struct BreadcrumbTests {
    private struct Declined: Error {}

    let recorder = Recorder()

    private func texts(in attributes: Attributes?) -> [String] {
        guard case .array(let values)? = attributes?["astrolabe.breadcrumbs"] else { return [] }
        return values.compactMap(\.stringValue)
    }

    @Test func `one is a JSON object, whatever it says`() throws {
        let message = "\"quoted\" \\ and\nnew\tline \u{1}, ünïcode 🔭"
        let crumb = Breadcrumb(
            timeUnixNano: 1_795_251_000_123_456_789, category: "a\"b", message: message,
            attributes: [
                "text": message, "number": 3, "share": 0.25, "isFirst": true, "infinite": Double.infinity,
            ])
        let text = try #require(crumb.json(limit: 1_024))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["time"] as? String == "2026-11-21T08:50:00.123Z")
        #expect(object["category"] as? String == "a\"b" && object["message"] as? String == message)
        let attributes = try #require(object["attributes"] as? [String: Any])
        #expect(attributes["text"] as? String == message && attributes["number"] as? Int == 3)
        #expect(attributes["share"] as? Double == 0.25 && attributes["isFirst"] as? Bool == true)
        #expect(attributes["infinite"] as? String == "inf")
    }

    @Test func `the time is right on every day of two centuries`() {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        for day in 0..<73_000 {
            let seconds = UInt64(day) * 86_400 + UInt64(day) % 86_400
            let expected = format.string(from: Date(timeIntervalSince1970: Double(seconds)))
            guard UTCTime(seconds * 1_000_000_000).description == expected else {
                Issue.record("expected \(expected), found \(UTCTime(seconds * 1_000_000_000))")
                return
            }
        }
    }

    @Test(arguments: [1_024, 200, 100, 90, 70, 66])
    func `one that is too long loses its attributes, then the end of its message, and stays JSON`(limit: Int) throws {
        let crumb = Breadcrumb(
            timeUnixNano: 0, category: "app", message: String(repeating: "\"", count: 256),
            attributes: ["key": String(repeating: "v", count: 256)])
        let text = try #require(crumb.json(limit: limit))
        #expect(text.utf8.count <= limit)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((object["attributes"] == nil) == (limit < 1_024))
        #expect(crumb.json(limit: 50) == nil)
    }

    @Test func `all of one are bounded, whatever is said`() throws {
        let long = String(repeating: "a ", count: 5_000)
        let attributes = Attributes(uniqueElements: (0..<20).map { .init(key: "key\($0)", value: .string(long)) })
        recorder.core.addBreadcrumb(long, category: long, attributes: attributes)
        let crumb = try recorder.core.breadcrumbs.all.only
        #expect(crumb.message.utf8.count == 256 && crumb.category.utf8.count == 64)
        #expect(crumb.attributes.count == 8)
        #expect(crumb.attributes.allSatisfy { $0.value.stringValue?.utf8.count == 256 })
    }

    @Test func `together they take 16 KiB at most, of more the newest`() throws {
        for number in 0..<100 {
            recorder.core.addBreadcrumb("\(number) " + String(repeating: "m", count: 250), category: "app")
        }
        recorder.events.emit("failed", severity: .error)
        let texts = texts(in: try recorder.logRecord.attributes)
        #expect(texts.reduce(0) { $0 + $1.utf8.count } <= 16_384)
        #expect(texts.count > 45 && texts.last?.contains("\"99 ") == true)
    }

    @Test func `an error that is thrown through spans takes them once, and again when there are new ones`() throws {
        let tracer = recorder.tracer
        recorder.core.addBreadcrumb("first", category: "app")
        let exceptions = { (_ body: () throws -> Void) in
            do { try body() } catch {}
            return try recorder.spans.flatMap(\.events).map { texts(in: $0.attributes).count }
        }
        let thrown = try exceptions {
            try tracer.withSpan("a") { _ in try tracer.withSpan("b") { _ in throw Declined() } }
        }
        #expect(thrown == [1, 0])
        let later = try exceptions {
            try tracer.withSpan("c") { span in
                span.recordException(Declined())
                recorder.core.addBreadcrumb("second", category: "app")
                throw Declined()
            }
        }
        #expect(later == [1, 0, 1, 2])
    }

    @Test func `an event's own are left alone, as a crash of an earlier run brings them`() throws {
        recorder.core.addBreadcrumb("of this run", category: "app")
        recorder.events.emit(
            "app.crash", severity: .fatal, attributes: ["astrolabe.breadcrumbs": AttributeValue.array([])])
        #expect(try recorder.logRecord.attributes["astrolabe.breadcrumbs"] == .array([]))
    }

    @Test func `threads that add them lose none while there is room`() {
        onThreads(4) { thread in
            for number in 0..<25 { recorder.core.addBreadcrumb("\(thread).\(number)", category: "app") }
        }
        #expect(Set(recorder.core.breadcrumbs.all.map(\.message)).count == 100)
        recorder.core.breadcrumbs.keep(atMost: -1)
        recorder.core.addBreadcrumb("none", category: "app")
        #expect(recorder.core.breadcrumbs.all.isEmpty)
    }
}
