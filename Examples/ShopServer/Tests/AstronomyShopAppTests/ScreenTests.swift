import DeviceLink
import Foundation
import Testing
import ViewTree

/// The real executable, over a real link, against the real backend.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The app on a device` {
    @Test func `shows its first screen, and leads to the catalogue`() async throws {
        try await withDevice { device in
            try await device.launch()
            #expect(device.hello?.version == LinkVersion.current)
            #expect(device.hello?.name == "astronomy-shop")
            #expect(try device.hello?.processID == Int(device.process.id))
            #expect(device.kinds.first == "hello")
            try await device.openShop()
            // The status has an order of its own.
            let screens = device.kinds.filter { ["screen", "patch"].contains($0) }
            #expect(screens.first == "screen" && screens.contains("patch"))
            #expect(device.tree?.contains(text: "$57.08") == true)
            #expect(device.wholeCount == 1, "all but the first screen came as patches")
        }
    }

    @Test func `sends patches that make what a whole screen would show`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            let products = ["LS4PSXUNUM", "L9ECAV7KIM", "6E92ZMYYFZ", "66VCHSJNUP", "2ZYFJ3GM2N"]
            var (isSame, tries) = (false, 0)
            // A picture may come between the last patch and the whole screen, which is newer then. The next product is
            // tried, until none does.
            while !isSame {
                try await device.openProduct(products[tries % products.count])
                tries += 1
                let count = device.wholeCount
                device.send(.screen)
                try await device.wait("the whole screen") { device.wholeCount > count }
                let (patched, whole) = (try #require(device.tree), try #require(device.whole))
                isSame = try canonical(patched.root) == canonical(whole.root)
                if patched.revision == whole.revision { try #require(isSame) }
                let page = try #require(whole.root.all { $0.actions.contains(.back) }.last)
                _ = try await device.outcome(of: device.send(.back, to: page.id))
            }
        }
    }

    @Test func `shows what an event has led to before it tells the outcome`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.perform(on: "learn-more")
            #expect(device.tree?.contains("go-shopping") == false)
        }
    }

    @Test func `gives the pictures that its screen names`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            @MainActor func picture() -> String? {
                device.tree?.root.first { $0.properties["resource"] != nil }?.properties["resource"]?.string
            }
            try await device.wait("a picture") { picture() != nil }
            let name = try #require(picture())
            device.send(.resource(name))
            device.send(.resource("no-such-picture"))
            try await device.wait("both answers") { device.resources.count == 2 }
            #expect(device.resources[name]?.type?.hasPrefix("image/") == true)
            #expect((device.resources[name]?.data?.count ?? 0) > 100)
            #expect(device.resources["no-such-picture"] == ResourceReply(name: "no-such-picture"))
        }
    }

    @Test func `says what became of events that it cannot carry out`() async throws {
        try await withDevice { device in
            try await device.launch()
            let button = try device.node("go-shopping")
            #expect(try await device.outcome(of: device.send(.tap, to: 999_999)) == .gone)
            #expect(try await device.outcome(of: device.send(.tap, to: -1)) == .gone)
            #expect(try await device.outcome(of: device.send(.refresh, to: button)) == .notOffered)
            #expect(try await device.outcome(of: device.send(.tap, to: button, "a value")) == .handled)
            #expect(try await device.outcome(of: device.send(.tap, to: button)) == .gone)
        }
    }

    @Test func `looks as the device is set to`() async throws {
        try await withDevice { device in
            device.begin.settings.isDark = true
            try await device.launch()
            #expect(device.tree?.root.properties["colorScheme"] == "dark")
            device.send(.settings(DeviceSettings(textSize: "accessibility3")))
            try await device.wait("large text") { device.tree?.root.properties["dynamicTypeSize"] == "accessibility3" }
            #expect(device.tree?.root.properties["colorScheme"] == "light")
        }
    }

    @Test func `tells of its frames`() async throws {
        try await withDevice { device in
            try await device.launch()
            try await device.openShop()
            try await device.wait("frames") { device.frames.frames > 1 }
            #expect(device.frames.longest > 0)
        }
    }

    private func canonical(_ node: RenderedNode) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(node)
    }
}
