import Astrolabe
import AstrolabeTesting
import Foundation
import Testing

@Suite struct `The text of a trace` {
    private let trace = CheckoutTrace()

    private static let expected = """
        span checkout
          demo.order.amount: 57.08
          demo.order.items: 3
          event demo.order.placed
            demo.order.amount: 57.08
          span charge card, client, error "declined"
          span ship order
            event label printed
        """

    @Test func `has names, kinds, statuses, events and the attributes that were asked for`() async {
        await trace.record()
        #expect(trace.collector.traceText(attributes: ["demo.order.*"]) == Self.expected)
        #expect(
            trace.collector.traceText(of: "ship order", attributes: ["demo.copies"]).hasSuffix("    demo.copies: 2"))
        #expect(trace.collector.traceText(of: "refund").isEmpty)
    }

    @Test func `is the same for another run`() async {
        let other = CheckoutTrace()
        await other.record()
        await trace.record()
        #expect(trace.collector.traceText(attributes: ["*"]) == other.collector.traceText(attributes: ["*"]))
    }

    @Test func `has numbers for ids, no times, and one line for each thing`() async {
        let tracer = trace.telemetry.tracer("shop")
        let order = UUID().uuidString
        tracer.withSpan("order \(order)") { span in
            span.setAttribute("demo.a", order.lowercased())
            // Not this span's id: one in 40,000 is made of digits that pass for those of a payment card.
            span.setAttribute("demo.b", "span 00f067aa0ba902b7, order \(order)")
            span.setAttribute("demo.c", "at 2026-11-25T17:00:30.125Z\nand 1795539630000000000")
            span.setAttribute("demo.d", "EAN 4006381333931")
        }
        await trace.telemetry.flush()
        #expect(
            trace.collector.traceText(attributes: ["demo.*"]) == """
                span order <id 1>
                  demo.a: "<id 1>"
                  demo.b: "span <id 2>, order <id 1>"
                  demo.c: "at <time>\\nand <time>"
                  demo.d: "EAN 4006381333931"
                """)
    }

    @Test func `has siblings by their start and then by name, and links by the name of their target`() async {
        let tracer = trace.telemetry.tracer("shop")
        tracer.withSpan("root") { root in
            for name in ["b", "a"] { tracer.withSpan(name) { _ in } }
            trace.clock.advance(by: .milliseconds(1))
            tracer.withSpan("0") { $0.addLink(root.context) }
        }
        await trace.telemetry.flush()
        #expect(trace.collector.traceText() == "span root\n  span a\n  span b\n  span 0\n    link to root")
    }
}

@Suite struct `A snapshot file` {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snapshots-\(UUID().uuidString)")
    private var path: String { folder.appendingPathComponent("nested/checkout.txt").path }

    @Test func `is recorded when it is missing, and compared from then on`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let trace = CheckoutTrace()
        await trace.record()
        let missing = #expect(throws: ExpectationFailure.self) {
            try trace.collector.requireSnapshot(at: path, attributes: ["demo.order.items"])
        }
        #expect(missing?.description.contains("Recorded the snapshot") == true)
        let recorded = try String(contentsOfFile: path, encoding: .utf8)
        #expect(recorded == trace.collector.traceText(attributes: ["demo.order.items"]) + "\n")
        try trace.collector.requireSnapshot(at: path, attributes: ["demo.order.items"])
    }

    @Test func `shows the lines that differ`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let trace = CheckoutTrace()
        await trace.record()
        #expect(SnapshotFile(path, source: #filePath).check(trace.collector.traceText(), isRecording: true) == nil)
        let difference = #expect(throws: ExpectationFailure.self) {
            try trace.collector.requireSnapshot(at: path, attributes: ["demo.order.items"])
        }
        #expect(
            difference?.description.hasSuffix(
                """
                ASTROLABE_RECORD_SNAPSHOTS=1.
                  span checkout
                +   demo.order.items: 3
                    event demo.order.placed
                    span charge card, client, error "declined"
                  ...
                """) == true, "\(difference.debugDescription)")
        #expect(difference?.description.hasPrefix("TraceTextTests.swift:") == true)
    }

    @Test func `is below the folder of the test, and is written again on request`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(SnapshotFile("Snapshots/a.txt", source: "/tests/A.swift").url.path == "/tests/Snapshots/a.txt")
        let file = SnapshotFile(path, source: #filePath)
        #expect(file.check("old", isRecording: true) == nil)
        #expect(file.check("new", isRecording: true) == nil)
        #expect(file.check("new", isRecording: false) == nil)
        #expect(file.check("old", isRecording: false)?.contains("- new\n+ old") == true)
    }

    @Test func `may have the line ends of Windows, as git can write them`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = SnapshotFile(path, source: #filePath)
        #expect(file.check("span a\n  span b", isRecording: true) == nil)
        try Data("span a\r\n  span b\r\n".utf8).write(to: file.url)
        #expect(file.check("span a\n  span b", isRecording: false) == nil)
    }
}
