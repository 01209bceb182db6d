package import Hummingbird

/// Another site that the console serves below its own path prefix.
///
///     MountedSite(name: "device", title: "Phone") { request in … }      // handles /device and all paths below
package struct MountedSite: Sendable {
    /// The first component of the site's paths.
    package let name: String
    /// The site's title in the console's sidebar.
    package let title: String
    package let respond: @Sendable (Request) async throws -> Response

    package init(
        name: String, title: String, respond: @escaping @Sendable (Request) async throws -> Response,
    ) {
        self.name = name
        self.title = title
        self.respond = respond
    }

    /// The path of the start page. The trailing slash allows relative links between the site's pages.
    var path: String { "/\(name)/" }

    func owns(_ path: String) -> Bool { path == "/\(name)" || path.hasPrefix("/\(name)/") }
}
