package import NIOCore

/// The limits that keep a few slow or idle clients from using up a server.
package struct ConnectionLimits: Sendable {
    /// The number of connections that may stay open. If there are more, the least used are closed.
    package var total: Int
    /// The number of connections from one address that may stay open. The default is half of ``total``.
    package var perPeer: Int
    /// The number of connections at which the server accepts no more until one is closed.
    package var acceptLimit: Int { total + max(total / 2, 64) }
    /// The time for which a connection stays open in any case after its last change.
    static let shortestStay: TimeAmount = .seconds(1)
    /// The timeout for the first request of a connection. The default is 20 s.
    package var firstRequestTime: TimeAmount = .seconds(20)
    /// A body must advance by ``bodyWindowBytes`` in each such window. The default is 10 s.
    package var bodyWindow: TimeAmount = .seconds(10)
    /// The default is 1,000 bytes: half of what a phone on a connection of 2 kB/s sends in a tenth of the window.
    package var bodyWindowBytes = 1_000
    /// The timeout for a whole body. The default is 5 min.
    package var bodyTime: TimeAmount = .minutes(5)
    /// The maximum number of bytes to read and discard so that a client that is still sending can read its response.
    package var drainBytes = 64 << 20
    /// The timeout for the same. The default is 30 s.
    package var drainTime: TimeAmount = .seconds(30)

    package init(total: Int) {
        self.total = max(total, 1)
        perPeer = max(total / 2, 1)
    }
}
