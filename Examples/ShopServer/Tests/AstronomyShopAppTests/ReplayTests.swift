import Astrolabe
import AstrolabePlatform
import AstrolabeSessionReplay
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import AstronomyShop
import DeviceLink
import Foundation
import SwiftUI
import Testing
import ViewTree

@testable import AppHost

/// The replay of the real screens, as a reader puts it together.
@MainActor
private final class Recording {
    private let collector: TelemetryCollector
    private let telemetry: Telemetry
    let host: ViewHost
    private let screen = ScreenSource()
    private var read = 0
    private(set) var nodes: [Int64: Attributes] = [:]
    private(set) var events: [Collected<LogRecordData>] = []
    /// Of all screens that were shown.
    private(set) var identifiers: Set<String> = []

    init(_ shop: URL, masking: ReplayConfiguration.Masking = .all) {
        collector = TelemetryCollector()
        var configuration = TelemetryConfiguration(serviceName: "astronomy-shop")
        configuration.replay.isEnabled = true
        configuration.replay.masking = masking
        configuration.policy.replayFrameRates.full = 60
        configuration.policy.replayFrameLimit = 3_600
        telemetry = collector.start(configuration)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
        AstronomyShopApp.setUp(baseURL: shop, telemetry: telemetry, storage: folder)
        host = ViewHost(app: AstronomyShopApp())
        host.onFrame = { [weak self] _ in
            guard let self else { return }
            show(host.tree)
        }
        show(host.tree)
        telemetry.replay.attach(screen)
    }

    private func show(_ tree: RenderedTree) {
        identifiers.formUnion(tree.root.texts(of: "identifier"))
        screen.show(tree)
    }

    func close() async {
        host.close()
        await telemetry.shutdown()
    }

    /// Takes events until the screen that they show is as a test wants it.
    func wait(for what: String, until isDone: () -> Bool) async throws {
        try await eventually("the replay shows \(what)") {
            await telemetry.flush()
            let all = collector.events(named: "astrolabe.replay")
            for event in all[read...] { take(event) }
            read = all.count
            return isDone()
        }
    }

    private func take(_ event: Collected<LogRecordData>) {
        events.append(event)
        let isKeyFrame = event.attributes["astrolabe.replay.is_key_frame"] == true
        if isKeyFrame { nodes = [:] }
        guard case .array(let list)? = event.attributes["astrolabe.replay.nodes"] else { return }
        for case .map(let node) in list { node["id"]?.intValue.map { nodes[$0] = node } }
        if case .array(let gone)? = event.attributes["astrolabe.replay.removed"] {
            for id in gone { id.intValue.map { nodes[$0] = nil } }
        }
    }

    /// All that any node of any event has under these keys.
    func texts(of keys: Set<String>) -> String {
        events.flatMap { event -> [String] in
            guard case .array(let list)? = event.attributes["astrolabe.replay.nodes"] else { return [] }
            return list.flatMap { node -> [String] in
                guard case .map(let node) = node else { return [] }
                return node.filter { keys.contains($0.key) }.compactMap(\.value.stringValue)
            }
        }.joined(separator: "\n")
    }

    var names: Set<String> { Set(nodes.values.compactMap { $0["name"]?.stringValue }) }

    /// The keys whose values are texts.
    var textKeys: Set<String> {
        Set(nodes.values.flatMap { $0.filter { $0.value.stringValue != nil }.map(\.key) })
    }

    func node(named name: String) -> Attributes? { nodes.values.first { $0["name"]?.stringValue == name } }

    func count(_ role: String) -> Int { nodes.values.count { $0["role"]?.stringValue == role } }
}

extension RenderedNode {
    fileprivate func texts(of property: String) -> [String] {
        all { _ in true }.compactMap { $0.properties[property]?.string }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The replay of the shop` {
    private static let secrets = [
        "galileo", "example.com", "4432", "0454", "672", "Observatory", "Los Angeles", "90027",
    ]
    /// From the first screen to the checkout's form.
    private func goToCheckout(_ recording: Recording) async throws {
        let host = recording.host
        try await recording.wait(for: "the first screen") { recording.node(named: "go-shopping") != nil }
        host.tap("go-shopping")
        try await recording.wait(for: "ten products") { recording.count("cell") == 10 }
        host.tap("product-LS4PSXUNUM")
        try await recording.wait(for: "a product") { recording.node(named: "add-to-cart") != nil }
        host.tap("add-to-cart")
        try await host.waitUntil("the cart has it") { $0.contains("quantity-in-cart") }
        let page = try #require(host.tree.root.all { $0.actions.contains(.back) }.last)
        host.send(ViewEvent(node: page.id, action: .back))
        host.tap("cart")
        try await recording.wait(for: "the cart") { recording.node(named: "checkout") != nil }
        host.tap("checkout")
        try await recording.wait(for: "the card") { recording.node(named: "payment-cardNumber")?["words"] != nil }
    }

    @Test func `shows the shop's screens in boxes and bars, and no text`() async throws {
        try await withBackend { shop in
            let recording = Recording(shop)
            try await goToCheckout(recording)
            #expect(recording.count("sheet") == 1 && recording.count("field") == 8)
            #expect(recording.count("text") > 20)
            #expect(recording.node(named: "shipping-email")?["words"] == [8])
            #expect(recording.node(named: "payment-cardNumber")?["words"] == [8])
            #expect(recording.textKeys == ["role", "name", "align", "fill", "ink"])
            #expect(recording.texts(of: ["text"]).isEmpty)
            // Beside what is a word of the format, only the names that the app itself gave its views.
            let all = recording.texts(of: ["name"])
            #expect(recording.names.isSubset(of: recording.identifiers))
            for secret in Self.secrets + ["Flashlight", "Your cart"] { #expect(!all.contains(secret), "\(secret)") }
            #expect(recording.events.allSatisfy { $0.attributes["astrolabe.replay.is_cut"] == nil })
            await recording.close()
        }
    }

    @Test func `shows texts where only inputs are masked, and still nothing that was typed or is private`() async throws
    {
        try await withBackend { shop in
            let recording = Recording(shop, masking: .inputs)
            try await goToCheckout(recording)
            let all = recording.texts(of: ["text", "name"])
            #expect(all.contains("Red Flashlight") && all.contains("Shipping address"))
            for secret in Self.secrets { #expect(!all.contains(secret), "\(secret)") }
            await recording.close()
        }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The demo's app` {
    @Test func `sends a replay of its screens within a second or so, as it does all else`() async throws {
        try await withDevice { device in
            device.settings = ["OTEL_EXPORTER_OTLP_COMPRESSION": "none"]
            try await device.launch()
            try await device.wait("a replay") {
                device.received.withLock { $0.contains { $0.contains("astrolabe.replay.is_key_frame") } }
            }
            try await device.wait("its status") { device.status != nil }
            #expect(device.status?.flushInterval == 1)
        }
    }

    @Test func `sends no replay where the environment says so`() async throws {
        try await withDevice { device in
            device.settings = ["OTEL_EXPORTER_OTLP_COMPRESSION": "none", "ASTROLABE_REPLAY": "off"]
            try await device.launch()
            try await device.openShop()
            device.send(.terminate)
            #expect(try await device.waitForEnd() == .exit(0))
            let received = device.received.withLock { $0 }
            #expect(received.contains { $0.contains("session.start") })
            #expect(!received.contains { $0.contains("astrolabe.replay") })
        }
    }
}

@Suite struct `What no screen may give away` {
    private static let canary = "kanarienvogel"

    /// Shows each kind with the canary in every property.
    @MainActor
    @Test func `is in no record, whatever kind of node has it`() async throws {
        let keys = [
            "text", "placeholder", "label", "value", "hint", "title", "symbol", "asset", "resource", "color", "fill",
            "tint", "style", "alignment", "shape", "runs", "badge", "stroke",
        ]
        let properties = Dictionary(uniqueKeysWithValues: keys.map { ($0, NodeValue.string("asset:" + Self.canary)) })
        let children = NodeKind.allCases.enumerated().map { index, kind in
            RenderedNode(
                id: 10 + index * 3, kind: kind, properties: properties, actions: [.back],
                children: [
                    RenderedNode(id: 11 + index * 3, kind: .text, properties: properties),
                    RenderedNode(id: 12 + index * 3, kind: .image, properties: properties),
                ],
            )
        }
        let collector = TelemetryCollector()
        var configuration = TelemetryConfiguration(serviceName: "astronomy-shop")
        configuration.replay.isEnabled = true
        let telemetry = collector.start(configuration)
        let screen = ScreenSource()
        screen.show(RenderedTree(revision: 1, root: RenderedNode(id: 1, kind: .window, children: children)))
        telemetry.replay.attach(screen)
        try await eventually("a replay has been sent") {
            await telemetry.flush()
            return !collector.events(named: "astrolabe.replay").isEmpty
        }
        let event = try #require(collector.events(named: "astrolabe.replay").first)
        #expect("\(event.record)".contains("progress"))
        #expect(!"\(event.record)".contains(Self.canary))
        await telemetry.shutdown()
    }
}
