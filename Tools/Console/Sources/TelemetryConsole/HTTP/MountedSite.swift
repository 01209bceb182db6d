package import Hummingbird

/// Somebody else's pages at the console's address, under a first part of the path of their own.
///
///     MountedSite(name: "device", title: "Phone") { request in … }      // answers /device and all below
package struct MountedSite: Sendable {
    /// The first part of the path.
    package let name: String
    /// What the console's own pages call it.
    package let title: String
    package let respond: @Sendable (Request) async throws -> Response

    package init(
        name: String, title: String, respond: @escaping @Sendable (Request) async throws -> Response,
    ) {
        self.name = name
        self.title = title
        self.respond = respond
    }

    /// Where its pages begin; the slash lets them link to one another without knowing the name.
    var path: String { "/\(name)/" }

    func owns(_ path: String) -> Bool { path == "/\(name)" || path.hasPrefix("/\(name)/") }
}
