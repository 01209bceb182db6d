import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing
import ViewTree

@testable import DeviceLink

/// Both ends of a link over a real socket.
struct LinkPair {
    let folder: TemporaryDirectory
    let listener: LinkListener
    let app: AppLink
    let device: DeviceLinkEnd

    var path: String { folder.path + "/link" }

    init() async throws {
        folder = try madeFolder()
        listener = try LinkListener(path: folder.path + "/link")
        app = try AppLink.connect(path: folder.path + "/link")
        device = try await listener.accepted()
    }
}

/// The device's end, and at the other a socket that says what a test wants it to.
struct RoughPair {
    let folder: TemporaryDirectory
    let listener: LinkListener
    let rough: LinkSocket
    let device: DeviceLinkEnd

    var path: String { folder.path + "/link" }

    init() async throws {
        folder = try madeFolder()
        listener = try LinkListener(path: folder.path + "/link")
        rough = try LinkSocket.connected(to: folder.path + "/link")
        device = try await listener.accepted()
    }

    func say(_ text: String) { _ = rough.send(Data(text.utf8), isTooLate: { false }) }
}

func madeFolder() throws -> TemporaryDirectory {
    let folder = TemporaryDirectory()
    try PrivateFiles.makeDirectory(folder.path)
    return folder
}

extension LinkListener {
    func accepted() async throws -> DeviceLinkEnd {
        for await connection in connections { return connection }
        throw CancellationError()
    }
}

func event(_ number: Int) -> DeviceMessage {
    .event(NumberedEvent(number: number, event: ViewEvent(node: number, action: .tap)))
}

func reply(_ number: Int) -> AppMessage { .outcome(EventReply(number: number, outcome: .handled)) }

extension AsyncStream<AppMessage> {
    /// The numbers of the replies, up to a number or to the end.
    func replies(upTo last: Int? = nil) async -> [Int] {
        var numbers: [Int] = []
        for await message in self {
            guard case .outcome(let reply) = message else { continue }
            numbers.append(reply.number)
            if reply.number == last { break }
        }
        return numbers
    }
}

extension AsyncStream<DeviceMessage> {
    /// The numbers of the events, up to a number or to the end.
    func events(upTo last: Int? = nil) async -> [Int] {
        var numbers: [Int] = []
        for await message in self {
            guard case .event(let event) = message else { continue }
            numbers.append(event.number)
            if event.number == last { break }
        }
        return numbers
    }
}
