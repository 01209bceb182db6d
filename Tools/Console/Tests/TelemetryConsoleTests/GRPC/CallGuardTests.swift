import NIOCore
import NIOEmbedded
import Testing

@testable import ServerSupport

/// The guards of a connection with several calls, with a clock that the test sets.
@Suite struct `The guard of a connection with calls` {
    private let limits: ConnectionLimits
    private let table: ConnectionTable

    init() {
        var limits = ConnectionLimits(total: 2)
        limits.perPeer = 2
        limits.drainBytes = 1_000
        self.limits = limits
        table = ConnectionTable(limits)
    }

    private func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: CallConnectionGuard(table))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func call(on channel: EmbeddedChannel, onOverdue: @escaping () -> Void = {}) throws -> CallGuard {
        let connection = try channel.pipeline.syncOperations.handler(type: CallConnectionGuard.self)
        return CallGuard(connection, eventLoop: channel.embeddedEventLoop, onOverdue: onOverdue)
    }

    @Test
    func `closes a connection without a call after its time`() throws {
        let channel = try connect()
        channel.embeddedEventLoop.advanceTime(by: limits.firstRequestTime - .nanoseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!channel.isActive)
    }

    @Test
    func `leaves a connection open that had a call`() throws {
        let channel = try connect()
        try call(on: channel).end()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test
    func `closes a connection whose calls have ended for a further one, and not one that awaits a response`() throws {
        let busy = try connect()
        let calls = try (0..<2).map { _ in try call(on: busy) }
        let idle = try connect()
        try call(on: idle).end()
        calls[0].requestEnded()
        calls[1].end()
        idle.embeddedEventLoop.advanceTime(by: .seconds(5))
        let further = EmbeddedChannel(handler: CallConnectionGuard(table), loop: idle.embeddedEventLoop)
        try further.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        #expect([busy.isActive, idle.isActive, further.isActive] == [true, false, true])
        withExtendedLifetime(calls) {}
    }

    @Test
    func `finds a call that is too slow, and one that goes on after its response`() throws {
        let channel = try connect()
        var overdue = 0
        let call = try call(on: channel) { overdue += 1 }
        #expect(!call.receive(limits.bodyWindowBytes))
        channel.embeddedEventLoop.advanceTime(by: limits.bodyWindow)
        #expect(overdue == 0)
        channel.embeddedEventLoop.advanceTime(by: limits.bodyWindow)
        #expect(overdue == 1)
        call.responseEnded()
        #expect(!call.receive(limits.drainBytes))
        #expect(call.receive(1))
        channel.embeddedEventLoop.advanceTime(by: limits.drainTime)
        #expect(overdue == 2)
    }

    @Test
    func `lets a response take any time`() throws {
        let channel = try connect()
        var overdue = 0
        let call = try call(on: channel) { overdue += 1 }
        call.requestEnded()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        call.end()
        #expect(overdue == 0)
    }

    @Test
    func `closes all connections when asked to, and every further one`() throws {
        let first = try connect()
        table.closeAll()
        #expect(try [first.isActive, connect().isActive] == [false, false])
    }
}
