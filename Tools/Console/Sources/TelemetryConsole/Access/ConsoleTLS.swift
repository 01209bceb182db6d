package import NIOCore

/// TLS of a console's connections, with a certificate that can be replaced while the console runs.
package struct ConsoleTLS: Sendable {
    /// The protocol that a connection negotiates.
    package enum Negotiated: Sendable {
        case http1
        case http2
    }

    /// Puts TLS before whatever a new connection has. Call it on the connection's event loop.
    package let start: @Sendable (any Channel, Negotiated) throws -> Void
    /// Reads the files of the certificate again, for new connections. If it throws, the certificate is the one before.
    let reload: @Sendable () throws(ConsoleError) -> Void

    package init(
        start: @escaping @Sendable (any Channel, Negotiated) throws -> Void,
        reload: @escaping @Sendable () throws(ConsoleError) -> Void,
    ) {
        self.start = start
        self.reload = reload
    }
}
