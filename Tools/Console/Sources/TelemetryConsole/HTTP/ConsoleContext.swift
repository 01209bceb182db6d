package import Hummingbird
import NIOCore

/// The context of a request, with the address of the connection.
package struct ConsoleContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The peer's IP address; `nil` without a network connection.
    let peer: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }
}
