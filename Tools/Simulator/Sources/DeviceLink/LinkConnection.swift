import AstrolabePlatform
import Foundation

/// The app's end of the link.
package typealias AppLink = LinkConnection<DeviceMessage, AppMessage>

/// The device's end of the link.
package typealias DeviceLinkEnd = LinkConnection<AppMessage, DeviceMessage>

/// One end of the link, which sends messages both ways over a Unix socket, as one line of JSON each.
///
///     let link = try AppLink.connect(path: path)
///     link.send(.hello(AppHello(name: "Astronomy Shop", appVersion: "1.0.0", processID: 1)))
///     for await message in link.messages { handle(message) }
///
/// It reads and writes on two threads, so the link works while the main thread hangs. If the reader of ``messages``
/// is slow, the other side waits. If messages are queued faster than they are sent, the queue's limit drops some.
/// The connection closes when its last reference is released.
package final class LinkConnection<Incoming: LinkMessage, Outgoing: LinkMessage>: Sendable {
    /// The received messages in order, for one reader. Ends when the other side closes the link or breaks the
    /// protocol.
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
            // The messages that the other side sent before it closed can still be read.
            if isGone { return }
            inbox.finish()
            socket.shutDown()
        }
    }

    deinit { close() }

    /// Queues a message without waiting. Drops and counts it if it is longer than a line may be, or if the
    /// queue is full.
    ///
    /// - Returns: `false` if the message was dropped.
    @discardableResult
    package func send(_ message: Outgoing) -> Bool {
        guard var line = try? JSONEncoder().encode(message), line.count <= Outgoing.lineLimit else {
            return outbox.put(nil)
        }
        line.append(UInt8(ascii: "\n"))
        return outbox.put(line)
    }

    /// Closes the link without waiting. Queued messages are still written, for at most a second.
    package func close() {
        outbox.close(within: 1)
        inbox.finish()
    }

    /// Closes the link and waits until queued messages are written, for at most a second.
    package func finish() async {
        close()
        await outbox.fallen(below: 0)
    }

    /// The number of malformed messages. They are skipped, and more than ``malformedLimit`` close the
    /// connection.
    package var malformedCount: Int { malformed.withLock { $0 } }

    package static var malformedLimit: Int { 100 }

    /// The number of dropped messages: sent after the end, too long, or too many for the queue.
    package var droppedCount: Int { outbox.dropped }

    /// The number of bytes in the queue.
    package var queuedBytes: Int { outbox.bytes }

    /// Waits until fewer bytes than this are in the queue, or until the connection ends.
    package func waitUntilQueued(below bytes: Int) async { await outbox.fallen(below: bytes) }

    /// Reads until the other side closes the link or breaks the protocol. Ignores what arrives after the link
    /// is closed here.
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

    /// Writes until the connection is closed on this side.
    ///
    /// - Returns: `false` if the other side has closed it before.
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
