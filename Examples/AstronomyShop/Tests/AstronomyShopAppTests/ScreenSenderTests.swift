import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstronomyShop
import DeviceLink
import Foundation
import Testing
import ViewTree

@testable import AstronomyShopApp

@Suite(.timeLimit(.minutes(1))) struct `A device that reads slowly` {
    @Test func `makes the app skip screens, and gets the newest`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let listener = try LinkListener(path: folder.path + "/link")
        let link = try AppLink.connect(path: folder.path + "/link")
        var device: DeviceLinkEnd?
        for await connection in listener.connections {
            device = connection
            break
        }
        let sender = ScreenSender(link)
        let work = Task { await sender.run() }
        defer { work.cancel() }
        let count = 1_000
        let filler = String(repeating: "x", count: 50_000)
        for revision in 1...count {
            sender.show(
                RenderedTree(
                    revision: revision,
                    root: RenderedNode(id: 1, kind: .text, properties: ["text": .string("\(revision) \(filler)")]),
                ))
            await Task.yield()
            #expect(link.queuedBytes < 1 << 20)
        }
        sender.post(.outcome(EventReply(number: 1, outcome: .handled)))
        var shown: RenderedTree?
        var screens = 0
        for await message in try #require(device).messages {
            switch message {
            case .screen(let tree):
                #expect(shown == nil)
                shown = tree
                screens += 1
            case .patch(let patch):
                let old = try #require(shown)
                shown = patch.applied(to: old)
                screens += 1
            default: break
            }
            if case .outcome = message { break }
        }
        #expect(shown?.revision == count)
        #expect(screens < count / 2)
    }
}

@Suite struct `What the app is told when it is started` {
    @Test func `is taken from the environment, and over it from arguments`() throws {
        let settings = try AppSettings.read(
            arguments: ["--shop", "https://shop.example", "--system", "18.7"],
            environment: [
                "ASTRONOMY_SHOP_URL": "http://elsewhere:1", "ASTROLABE_DEVICE_LINK": "/tmp/link",
                "ASTRONOMY_SHOP_STORAGE": "/tmp/app", "ASTROLABE_DEVICE_MODEL": "iPhone16,1",
            ],
        )
        #expect(settings.shop.absoluteString == "https://shop.example")
        #expect(settings.link == "/tmp/link")
        #expect(settings.storage?.path == "/tmp/app")
        #expect(settings.phone?.name == "iPhone 15 Pro")
        #expect(settings.phone?.system == "18.7")
        #expect(settings.phone?.attributes["astrolabe.simulated"] == true)
    }

    @Test func `names no phone where there is none, and a usual one behind a link`() throws {
        let plain = try AppSettings.read(arguments: [], environment: ["ASTROLABE_DEVICE_LINK": ""])
        #expect(plain == AppSettings(shop: try #require(URL(string: "http://127.0.0.1:8080"))))
        let linked = try AppSettings.read(arguments: ["--link", "l"], environment: [:])
        #expect(linked.phone?.name == "iPhone 16")
    }
}
