import AstrolabePlatform
import AstrolabeTestSupport
import DeviceLink
import Foundation
import Testing
import ViewTree

@testable import AppHost

@Suite(.timeLimit(.minutes(2))) struct `A device that reads slowly` {
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
            // The sender sends some of them.
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

    @Test func `gets the animation of a screen that it skipped`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let listener = try LinkListener(path: folder.path + "/link")
        let link = try AppLink.connect(path: folder.path + "/link")
        var connections = listener.connections.makeAsyncIterator()
        let device = try #require(await connections.next())
        let sender = ScreenSender(link)
        let work = Task { await sender.run() }
        defer { work.cancel() }
        func tree(_ revision: Int, _ animation: TreeAnimation? = nil) -> RenderedTree {
            let root = RenderedNode(id: 1, kind: .text, properties: ["text": .string("\(revision)")])
            return RenderedTree(revision: revision, root: root, animation: animation)
        }
        let animation = TreeAnimation(delay: 0, duration: 1, curve: [0, 1])
        sender.show(tree(1))
        var animations: [TreeAnimation] = []
        for await message in device.messages {
            if case .screen = message {
                sender.show(tree(2, animation))
                sender.show(tree(3))
            }
            guard case .patch(let patch) = message else { continue }
            if let animation = patch.animation { animations.append(animation) }
            if patch.revision == 3 { break }
        }
        #expect(animations == [animation])
    }
}
