/// The ports that a running console listens on.
package struct ConsolePorts: Sendable, Hashable {
    /// OTLP over HTTP, the API and the pages.
    package let http: Int
    /// OTLP over gRPC; `nil` if the console does not receive it.
    package let grpc: Int?
}
