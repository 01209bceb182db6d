import AstrolabeDeviceConditions
import Foundation
import Testing
import ViewTree

@testable import DeviceLink

@Suite struct `Every message` {
    private static let tree = RenderedTree(
        revision: 3,
        root: RenderedNode(
            id: 1, kind: .window, properties: ["colorScheme": "dark"],
            children: [
                RenderedNode(
                    id: 2, kind: .stepper, properties: ["value": 0.5, "on": true, "runs": ["a", 1, false, []]],
                    actions: [.change, .tap],
                ),
                RenderedNode(id: 3, kind: .text, properties: ["text": "“Größe”\n\u{1F52D}</script>"]),
            ],
        ),
    )

    static let ofTheApp: [AppMessage] = [
        .hello(AppHello(name: "astronomy-shop", appVersion: "1.0.0", processID: 4_711)),
        .screen(tree),
        .patch(TreePatch(from: RenderedTree(revision: 2, root: RenderedNode(id: 1, kind: .window)), to: tree)),
        .outcome(EventReply(number: 7, outcome: .notOffered)),
        .resource(ResourceReply(name: "ab-3", type: "image/png", data: Data([0x89, 0x50, 0]))),
        .resource(ResourceReply(name: "gone")),
        .frames(FrameSummary(frames: 12, slow: 2, frozen: 1, missed: 44, longest: 750.25)),
        .status(
            AppStatus(
                mode: "reduced", reasons: ["Battery 15 %"], samplingRate: 0.1, flushInterval: 60, upload: "queued",
                ledger: AppStatus.Ledger(created: 9, delivered: 4, inJournal: 1, inQueue: 3, dropped: ["evicted": 1]),
                queue: ["high": 3], blockers: ["no network"], requests: 2, bytesSent: 965, lastUpload: 1.5,
                lastFailure: "503", session: "s", screen: "Home",
            )),
        .status(recording),
        .clock(1_060.5),
    ]

    private static let recording = {
        var status = AppStatus(mode: "normal")
        status.isSampledOut = true
        var recorder = AppStatus.Recorder()
        recorder.off = "memory is critical"
        (recorder.records, recorder.bytes, recorder.capacity, recorder.oldest) = (7, 3_000, 4_194_304, 1.5)
        (recorder.promoted, recorder.promotedBytes) = (["error": 3, "app": 1], 1_700)
        (recorder.dailyBytes, recorder.refused) = (2_097_152, 2)
        status.recorder = recorder
        return status
    }()

    static let ofTheDevice: [DeviceMessage] = [
        .begin(
            DeviceBegin(
                conditions: Conditions(
                    network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active),
                settings: DeviceSettings(isDark: true, textSize: "accessibility3", locale: "de_DE"),
            )),
        .conditions(ConditionsUpdate(network: .offline)),
        .conditions(ConditionsUpdate(thermal: .critical, memory: .critical, lifecycle: .background)),
        .settings(DeviceSettings(reducesMotion: true)),
        .event(NumberedEvent(number: 1, event: ViewEvent(node: 12, action: .change, value: "a\nb"))),
        .event(NumberedEvent(number: 2, event: ViewEvent(node: 12, action: .tap))),
        .open(URL(filePath: "/shop/products/7")),
        .resource("ab-3"),
        .screen,
        .clock(DeviceClock(uptime: 60, wall: 1_795_251_600, responseDelay: 1.5, bytesPerSecond: 2_000)),
        .keepRecording,
        .terminate,
    ]

    @Test(arguments: ofTheApp.indices)
    func `of the app's is the same after its way over the wire, in one line`(index: Int) throws {
        let line = try canonical(Self.ofTheApp[index])
        #expect(!line.contains(UInt8(ascii: "\n")))
        #expect(try canonical(JSONDecoder().decode(AppMessage.self, from: line)) == line)
    }

    @Test(arguments: ofTheDevice)
    func `of the device's is the same after its way over the wire, in one line`(message: DeviceMessage) throws {
        let line = try canonical(message)
        #expect(!line.contains(UInt8(ascii: "\n")))
        #expect(try JSONDecoder().decode(DeviceMessage.self, from: line) == message)
    }

    @Test func `has the form that is documented`() throws {
        func text(_ message: some Encodable) throws -> String {
            String(decoding: try canonical(message), as: UTF8.self)
        }
        #expect(try text(DeviceMessage.terminate) == #"{"type":"terminate"}"#)
        #expect(try text(DeviceMessage.resource("ab-3")) == #"{"body":"ab-3","type":"resource"}"#)
        #expect(
            try text(Self.ofTheDevice[1])
                == #"{"body":{"network":{"constrained":false,"expensive":false,"type":"offline"}},"type":"conditions"}"#
        )
        #expect(
            try text(Self.ofTheApp[0])
                == #"{"body":{"appVersion":"1.0.0","name":"astronomy-shop","processID":4711,"version":1},"type":"hello"}"#
        )
    }

    @Test func `keeps what a patch makes of a screen`() throws {
        let old = RenderedTree(revision: 2, root: RenderedNode(id: 1, kind: .window))
        let patch = try JSONDecoder().decode(
            TreePatch.self, from: JSONEncoder().encode(TreePatch(from: old, to: Self.tree)))
        #expect(try canonical(#require(patch.applied(to: old))) == canonical(Self.tree))
    }

    private func canonical(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(message)
    }
}
