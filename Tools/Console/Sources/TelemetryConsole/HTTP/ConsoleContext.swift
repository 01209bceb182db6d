package import Hummingbird
import NIOCore

/// The context of a request, with its connection.
package struct ConsoleContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The peer's IP address; `nil` without a network connection.
    let peer: String?
    /// The connection; `nil` without a network connection.
    let connection: (any Channel)?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress
        connection = peer == nil ? nil : source.channel
    }
}
