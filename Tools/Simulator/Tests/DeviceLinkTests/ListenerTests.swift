import AstrolabeTestSupport
import Foundation
import Testing

@testable import DeviceLink

@Suite(.timeLimit(.minutes(2))) struct `A listener` {
    @Test func `takes several apps, one after the other or at once`() async throws {
        let pair = try await LinkPair()
        let second = try AppLink.connect(path: pair.path)
        let device = try await pair.listener.accepted()
        second.send(reply(2))
        pair.app.send(reply(1))
        #expect(await device.messages.replies(upTo: 2) == [2])
        #expect(await pair.device.messages.replies(upTo: 1) == [1])
    }

    @Test func `lets in its own user alone`() async throws {
        let pair = try await LinkPair()
        let attributes = try FileManager.default.attributesOfItem(atPath: pair.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `removes its file when it is closed, and leaves its links alone`() async throws {
        let pair = try await LinkPair()
        pair.listener.close()
        #expect(!FileManager.default.fileExists(atPath: pair.path))
        for await _ in pair.listener.connections { Issue.record("nobody came") }
        pair.app.send(reply(1))
        #expect(await pair.device.messages.replies(upTo: 1) == [1])
        let refusal = #expect(throws: LinkError.self) { try AppLink.connect(path: pair.path) }
        #expect(refusal?.reason == .nobodyListens)
    }

    @Test func `replaces a socket that its owner's death has left behind`() async throws {
        let folder = try madeFolder()
        let path = folder.path + "/link"
        _ = try LinkSocket.listening(at: path)
        #expect(FileManager.default.fileExists(atPath: path), "a socket that is only closed leaves its file")
        #expect(throws: LinkError.self) { try AppLink.connect(path: path) }
        let listener = try LinkListener(path: path)
        let app = try AppLink.connect(path: path)
        let device = try await listener.accepted()
        app.send(reply(1))
        #expect(await device.messages.replies(upTo: 1) == [1])
    }

    @Test func `leaves a path to whoever listens there`() async throws {
        let pair = try await LinkPair()
        let refusal = #expect(throws: LinkError.self) { try LinkListener(path: pair.path) }
        #expect(refusal?.reason == .inUse)
        pair.app.send(reply(1))
        #expect(await pair.device.messages.replies(upTo: 1) == [1])
    }

    @Test func `leaves a file alone that is no socket`() throws {
        let folder = try madeFolder()
        let path = folder.path + "/link"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        let refusal = #expect(throws: LinkError.self) { try LinkListener(path: path) }
        #expect(refusal?.reason == .notASocket)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
    }

    @Test func `says how long a path may be`() throws {
        let path = "/tmp/" + String(repeating: "x", count: 108)
        for attempt in [{ _ = try LinkListener(path: path) }, { _ = try AppLink.connect(path: path) }] {
            let refusal = #expect(throws: LinkError.self) { try attempt() }
            #expect(refusal?.reason == .pathTooLong)
            #expect(refusal?.description.contains("113: " + path) == true)
        }
    }
}
