import AstrolabePlatform
import Foundation

/// The app's end.
package typealias AppLink = LinkConnection<DeviceMessage, AppMessage>

/// The device's end.
package typealias DeviceLinkEnd = LinkConnection<AppMessage, DeviceMessage>

/// One end of the link: messages both ways over a Unix socket, a line of JSON each.
///
///     let link = try AppLink.connect(path: path)
///     link.send(.hello(AppHello(name: "Astronomy Shop", appVersion: "1.0.0", processID: 1)))
///     for await message in link.messages { handle(message) }
///
/// Two threads of its own read and write, so a link works on while its process's main thread hangs. Who is slow to take
/// messages makes the other side wait; who sends faster than they are taken meets the bound of the queue. The
/// connection is closed with its last reference.
package final class LinkConnection<Incoming: LinkMessage, Outgoing: LinkMessage>: Sendable {
    /// In order, for one reader; ends when the other side closes or breaks the rules.
    package let messages: AsyncStream<Incoming>

    private let socket: LinkSocket
    private let inbox = LinkInbox<Incoming>()
    private let outbox = LinkOutbox(limit: Outgoing.queueLimit)
    private let malformed = Locked(0)

    package static func connect(path: String) throws(LinkError) -> LinkConnection {
        LinkConnection(try LinkSocket.connected(to: path))
    }

    init(_ socket: LinkSocket) {
        self.socket = socket
        let (inbox, outbox, malformed) = (inbox, outbox, malformed)
        messages = AsyncStream(unfolding: { await inbox.take() }, onCancel: { inbox.finish() })
        Self.startThread("link reader") {
            Self.read(socket, into: inbox, malformed: malformed)
            inbox.finish()
            outbox.end()
            socket.shutDown()
        }
        Self.startThread("link writer") {
            let isGone = !Self.write(outbox, to: socket)
            outbox.end()
            // What the other side said before it went can still be read.
            if isGone { return }
            inbox.finish()
            socket.shutDown()
        }
    }

    deinit { close() }

    /// Queues a message without waiting. One that is longer than a line may be, or that the queue has no room for, is
    /// dropped and counted.
    ///
    /// - Returns: False where it was dropped.
    @discardableResult
    package func send(_ message: Outgoing) -> Bool {
        guard var line = try? JSONEncoder().encode(message), line.count <= Outgoing.lineLimit else {
            return outbox.put(nil)
        }
        line.append(UInt8(ascii: "\n"))
        return outbox.put(line)
    }

    /// Ends the connection without waiting; what is queued is written first, for at most a second.
    package func close() {
        outbox.close(within: 1)
        inbox.finish()
    }

    /// Closes, and returns when what was queued is written or the second is over.
    package func finish() async {
        close()
        await outbox.fallen(below: 0)
    }

    /// Lines that were no message: they are skipped, and more than ``malformedLimit`` close the connection.
    package var malformedCount: Int { malformed.withLock { $0 } }

    package static var malformedLimit: Int { 100 }

    /// Messages that were not sent: after the end, too long, or more than the queue holds.
    package var droppedCount: Int { outbox.dropped }

    /// Bytes that wait to be written.
    package var queuedBytes: Int { outbox.bytes }

    /// Returns when fewer bytes than that wait to be written, or the connection is over.
    package func waitUntilQueued(below bytes: Int) async { await outbox.fallen(below: bytes) }

    /// Until the other side closes or breaks the rules. What comes after the end on this side is not looked at.
    private static func read(_ socket: LinkSocket, into inbox: LinkInbox<Incoming>, malformed: Locked<Int>) {
        var splitter = LineSplitter(limit: Incoming.lineLimit)
        let decoder = JSONDecoder()
        while let bytes = socket.receive(), let lines = splitter.lines(adding: bytes) {
            for line in lines where !inbox.isOver {
                if let message = try? decoder.decode(Incoming.self, from: line) {
                    inbox.put(message, bytes: line.count)
                } else {
                    let count = malformed.withLock { count in
                        count += 1
                        return count
                    }
                    if count > malformedLimit { return }
                }
            }
        }
    }

    /// Until the connection is closed on this side.
    ///
    /// - Returns: False where the other side has gone before.
    private static func write(_ outbox: LinkOutbox, to socket: LinkSocket) -> Bool {
        while let lines = outbox.take() {
            for line in lines {
                guard socket.send(line, isTooLate: { outbox.isTooLate }) else { return outbox.isTooLate }
                outbox.wrote(line.count)
            }
        }
        return true
    }

    private static func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = name
        thread.stackSize = 8 << 20
        thread.start()
    }
}
