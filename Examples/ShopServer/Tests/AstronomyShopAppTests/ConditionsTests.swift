import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeTestSupport
import DeviceLink
import Foundation
import Testing
import ViewTree

#if canImport(Glibc)
import Glibc
#endif

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `What the device lives through` {
    @Test func `shows in the status: airplane mode holds records back, and its end lets them go`() async throws {
        let start = Date().timeIntervalSince1970
        try await withDevice { device in
            try await device.launch()
            try await device.wait("a delivery") { (device.status?.ledger.delivered ?? 0) > 0 }
            #expect(device.status?.upload == "immediate")
            #expect((device.status?.lastUpload ?? 0) > start - 1)
            device.send(.conditions(ConditionsUpdate(network: .offline)))
            try await device.openShop()
            try await device.wait("the policy") { device.status?.upload == "queued" }
            #expect(device.status?.reasons.contains { $0.contains("No network") } == true)
            try await device.wait("records that wait") {
                device.status?.blockers.contains { $0.contains("network") } == true
            }
            let delivered = try #require(device.status?.ledger.delivered)
            device.send(.conditions(ConditionsUpdate(network: .wifi)))
            try await device.wait("their delivery") { (device.status?.ledger.delivered ?? 0) > delivered + 10 }
            #expect(device.status?.upload == "immediate")
            #expect(device.status?.ledger.isBalanced == true)
            #expect(device.status?.screen == "ProductList")
            #expect(device.status?.session?.isEmpty == false)
        }
    }

    @Test func `decides about the session's sampling, as the policy of a release build does`() async throws {
        try await withDevice { device in
            device.settings["ASTROLABE_DEVICE_SAMPLING"] = "automatic"
            try await device.launch()
            try await device.wait("the rate on battery") { device.status.map { $0.samplingRate < 1 } == true }
            #expect(device.status?.fixedSamplingRate == nil)
            device.send(.conditions(ConditionsUpdate(power: Power(level: 0.8, source: .charging))))
            try await device.wait("the rate on a charger") {
                device.status?.samplingRate == 1 && device.status?.isSampledOut == false
            }
        }
    }

    @Test func `reaches the recorder of a session that is sampled out, and has it sent`() async throws {
        let start = Date().timeIntervalSince1970
        try await withDevice { device in
            device.settings["ASTROLABE_DEVICE_SAMPLING"] = "nothing"
            try await device.launch()
            try await device.openShop()
            try await device.wait("records in the ring") { (device.status?.recorder?.records ?? 0) > 3 }
            #expect(device.status?.isSampledOut == true && device.status?.fixedSamplingRate == 0)
            let recorder = try #require(device.status?.recorder)
            #expect(recorder.off == nil && recorder.promoted.isEmpty && recorder.bytes > 0)
            #expect((recorder.oldest ?? 0) > start - 1)
            device.send(.keepRecording)
            try await device.wait("a promotion") { (device.status?.recorder?.promoted["app"] ?? 0) > 3 }
            #expect(device.status?.ledger.isBalanced == true)
            device.send(.conditions(ConditionsUpdate(memory: .critical)))
            try await device.wait("a reason") { device.status?.recorder?.off == "memory is critical" }
        }
    }

    @Test func `reaches the queue, which the status divides by priority`() async throws {
        try await withDevice { device in
            device.begin.conditions.network = .offline
            try await device.launch()
            device.send(.conditions(ConditionsUpdate(lifecycle: .background)))
            // The session's start and the changes of conditions.
            try await device.wait("urgent records in the queue") { (device.status?.queue["high"] ?? 0) > 0 }
            let status = try #require(device.status)
            #expect(status.queue.values.reduce(0, +) == status.ledger.inQueue)
            #expect(status.ledger.delivered == 0)
        }
    }

    @Test func `changes nothing for a process that is stopped, and all at once when it goes on`() async throws {
        try await withDevice { device in
            try await device.launch()
            let process = try device.process
            process.send(SIGSTOP)
            try await eventually("the system has stopped the process") { process.isStopped }
            let button = try device.node("otel-button")
            let numbers = (0..<50).map { _ in device.send(.tap, to: button) }
            device.send(.conditions(ConditionsUpdate(network: .offline)))
            #expect(process.isStopped)
            #expect(device.outcomes.isEmpty)
            process.send(SIGCONT)
            for number in numbers { #expect(try await device.outcome(of: number) == .handled) }
            #expect(device.outcomes.map(\.number) == numbers)
            try await device.wait("every tap") { device.tree?.contains(text: "Events sent: 50") == true }
            try await device.wait("the policy") { device.status?.upload == "queued" }
        }
    }

    @Test func `brings the app back with a frame, before anything is touched`() async throws {
        try await withDevice { device in
            device.settings["OTEL_EXPORTER_OTLP_COMPRESSION"] = "none"
            try await device.launch()
            // The first screen is complete by then, and does not change by itself.
            try await device.wait("a delivery") { (device.status?.ledger.delivered ?? 0) > 0 }
            for lifecycle in [LifecycleState.background, .active] {
                device.send(.conditions(ConditionsUpdate(lifecycle: lifecycle)))
                // When this is answered, all before it has been carried out.
                let next = device.send(.tap, to: 999_999)
                #expect(try await device.outcome(of: next) == .gone)
            }
            device.send(.conditions(ConditionsUpdate(lifecycle: .background)))
            try await device.wait("the warm start") {
                device.received.withLock { $0.contains { $0.contains("app.start") && $0.contains("warm") } }
            }
        }
    }

    @Test func `is heard while the main thread hangs, and so is the request for the screen`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            try await device.ask(for: "OLJCESPC7Z", quantity: 9)
            device.send(.tap, to: try device.node("demo-confirm"))
            // Whenever this is answered, the main thread is through with its hang of ten seconds.
            let next = device.send(.tap, to: 999_999)
            let count = device.wholeCount
            device.send(.screen)
            device.send(.conditions(ConditionsUpdate(network: .offline)))
            try await device.wait("the screen and the policy") {
                device.wholeCount > count && device.status?.upload == "queued"
            }
            #expect(!device.outcomes.contains { $0.number == next })

            // Only so many events wait for the main thread. Those beyond are answered at once.
            for _ in 0..<1_500 { device.send(.tap, to: 999_999) }
            try await device.wait("the answers beyond the limit of 1,024") {
                device.outcomes.count { $0.outcome == .notOffered } >= 476
            }
            #expect(!device.outcomes.contains { $0.outcome == .gone })
            try device.process.send(SIGKILL)
        }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `A main thread that was busy` {
    @Test func `answers every event that waited for it`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            try await device.ask(for: "9SIQT8TOJO")
            let busy = device.send(.tap, to: try device.node("demo-confirm"))
            let numbers = (0..<100).map { _ in device.send(.tap, to: 999_999) }
            #expect(try await device.outcome(of: busy) == .handled)
            for number in numbers { #expect(try await device.outcome(of: number) == .gone) }
            try await device.wait("the slow frame") { device.frames.frozen >= 1 }
            #expect(device.frames.longest > 3_000)
        }
    }
}

extension TestDevice {
    /// Puts a product into the cart whose demonstration is then asked about.
    func ask(for product: String, quantity: Int = 1) async throws {
        try await openProduct(product)
        for _ in 1..<quantity { try await perform(.increment, on: "product-quantity") }
        try await perform(on: "add-to-cart")
        try await wait(for: "demo-confirm")
    }
}
