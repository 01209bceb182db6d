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
@Suite(.timeLimit(.minutes(5))) struct `The app ends` {
    @Test func `when it is asked to, after it has sent everything`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            device.send(.terminate)
            #expect(try await device.waitForEnd() == .exit(0))
            let ledger = try #require(device.status?.ledger)
            #expect(ledger.created > 10)
            #expect(ledger.delivered == ledger.created, "\(ledger)")
        }
    }

    @Test func `when the device is gone, after it has sent everything`() async throws {
        try await withDevice { device in
            try await device.launch()
            let process = try device.process
            device.closeLink()
            #expect(await process.end() == .exit(0))
            try await device.launch()
            let ledger = try await device.settledLedger()
            #expect(ledger.dropped.isEmpty)
        }
    }

    @Test func `on SIGTERM`() async throws {
        try await withDevice { device in
            try await device.launch()
            try device.process.send(SIGTERM)
            #expect(try await device.waitForEnd() == .exit(0))
            #expect(device.status?.ledger.isBalanced == true)
        }
    }

    @Test func `while its main thread hangs, as soon as it is asked to`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            // Its hang lasts ten seconds.
            try await device.ask(for: "OLJCESPC7Z", quantity: 9)
            device.send(.tap, to: try device.node("demo-confirm"))
            let next = device.send(.tap, to: 999_999)
            device.send(.terminate)
            #expect(try await device.waitForEnd() == .exit(0))
            #expect(!device.outcomes.contains { $0.number == next })
        }
    }

    @Test func `by a crash that is one`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            try await device.ask(for: "OLJCESPC7Z", quantity: 10)
            device.send(.tap, to: try device.node("demo-confirm"))
            let end = try await device.waitForEnd()
            #expect([.signal(SIGILL), .signal(SIGTRAP)].contains(end), "\(String(describing: end))")
        }
    }

    @Test func `by kill -9, and the next launch sends all that the last had recorded`() async throws {
        try await withDevice { device in
            device.begin.conditions.network = .offline
            try await device.launch()
            try await device.openShop()
            try await device.openProduct("LS4PSXUNUM")
            try await device.perform(on: "add-to-cart")
            try await device.wait(for: "quantity-in-cart")
            try await device.wait("a good many records") { (device.status?.ledger.created ?? 0) >= 15 }
            let before = try #require(device.status?.ledger)
            #expect(before.delivered == 0)
            try device.process.send(SIGKILL)
            #expect(try await device.waitForEnd() == .signal(SIGKILL))

            device.begin.conditions.network = .wifi
            try await device.launch()
            let after = try await device.settledLedger()
            #expect(after.created >= before.created)
            #expect(after.delivered >= before.created)
            #expect(after.dropped.isEmpty, "\(after.dropped)")
        }
    }
}

extension TestDevice {
    /// The account after all that was recorded has been delivered, by the app's leaving the front.
    fileprivate func settledLedger() async throws -> AppStatus.Ledger {
        send(.terminate)
        #expect(try await waitForEnd() == .exit(0))
        let ledger = try #require(status?.ledger)
        #expect(ledger.isBalanced, "\(ledger)")
        #expect(ledger.inJournal + ledger.inQueue == 0, "\(ledger)")
        return ledger
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The app does not begin` {
    @Test(arguments: [
        ([:], "./astrolabe demo --app PATH"),
        (["ASTROLABE_DEVICE_LINK": "/nonexistent/link"], "no device listens at /nonexistent/link"),
        (["ASTROLABE_DEVICE_LINK": String(repeating: "x", count: 200)], "name a shorter one"),
    ])
    func `without a phone, and says what to run`(environment: [String: String], words: String) async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let app = try AppProcess(environment: environment, folder: folder)
        #expect(await app.end() == .exit(1))
        #expect(app.output.contains("astronomy-shop: ") && app.output.contains(words), "\(app.output)")
    }

    @MainActor
    @Test func `with a backend that is no address`() async throws {
        try await withDevice { device in
            device.settings["ASTROLABE_BACKEND_URL"] = "nowhere"
            try await device.connect()
            device.send(.begin(device.begin))
            let process = try device.process
            #expect(try await device.waitForEnd() == .exit(1))
            #expect(process.output.contains("ASTROLABE_BACKEND_URL: expected an address"))
        }
    }

    @MainActor
    @Test func `with a device that speaks another version`() async throws {
        try await withDevice { device in
            device.begin.version = LinkVersion.current + 1
            try await device.connect()
            device.send(.begin(device.begin))
            let process = try device.process
            #expect(try await device.waitForEnd() == .exit(1))
            #expect(process.output.contains("expected version 1 of the device link; found version 2"))
        }
    }

    @MainActor
    @Test func `with a device that says nothing after the hello`() async throws {
        try await withDevice { device in
            device.settings["ASTROLABE_DEVICE_TIMEOUT"] = "0.2"
            try await device.connect()
            let process = try device.process
            #expect(try await device.waitForEnd() == .exit(1))
            #expect(process.output.contains("waiting for the device's begin message"))
            #expect(device.kinds == ["hello"])
        }
    }
}
