/// Limits of the time that a request may take, and of the response that is kept.
public struct HTTPLimits: Hashable, Sendable {
    /// Until the first byte, and between any two; a shorter `timeoutInterval` of the request goes before. Default 15 s.
    public var idleTimeout: Duration = .seconds(15)
    /// From the first byte sent to the last received. Default 60 s.
    public var totalTimeout: Duration = .seconds(60)
    /// Bytes of a success. Default 4 MiB; more is ``TransportFailure/responseTooLarge``.
    public var maxResponseBytes = 4 << 20
    /// Bytes kept of an answer that is no success; what follows is not read. Default 64 KiB.
    package var errorSize = 64 << 10

    /// Creates the default limits.
    public init() {}
}
