import ConsoleAccess
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// A method of a path: the key that it needs, what bounds its work, and what answers it.
///
///     ConsoleRoute(.get, "/api/v1/map", .key(.view), .queries, takes: "time kept") { try await $0.api.map($1) }
///
/// The router, the key check, the turns of queries, CORS, the console's own telemetry and the assistants' tools read
/// ``all``. The key and the admission have no default, so a route without them does not compile.
struct ConsoleRoute: Sendable {
    enum Access: Sendable, Hashable {
        /// No key, for what shows no telemetry: the files of the pages, and signing in.
        case open
        /// A key of this use, which is checked before the handler runs.
        case key(KeyUse)
        /// A key for sending. The ``IngestReceiver`` takes records only from a ``RecordSender``, which checks it for
        /// both transports of OTLP.
        case sender
    }

    enum Admission: Sendable, Hashable {
        /// The receiver bounds the memory and the work of each sender.
        case ingest
        /// Queries take turns as those of the viewer, in the class that the request names. They end when the connection
        /// closes.
        case queries
        /// Needs little, or has a limit of its own, as uploads and live connections have.
        case plain
    }

    typealias Handler = @Sendable (ConsoleServices, RouteCall) async throws -> Response

    let method: HTTPRequest.Method
    let path: RoutePath
    let access: Access
    let admission: Admission
    /// The parameters of the URL that the route reads, sorted.
    let parameters: [String]
    let respond: Handler

    /// - Parameter names: The parameters of the URL, with blanks between them, without those of each query.
    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ admission: Admission,
        takes names: String = "", respond: @escaping Handler,
    ) {
        self.method = method
        self.path = RoutePath(path)
        self.access = access
        self.admission = admission
        let all = names.split(separator: " ").map { String($0) } + (admission == .queries ? ["class"] : [])
        parameters = all.sorted()
        self.respond = respond
    }

    /// Refuses a parameter that a route of the API does not read, so that a misspelt one changes no answer in silence.
    func check(_ call: RouteCall) throws {
        guard path.text.hasPrefix("/api/v1/"),
            let name = call.query.names.first(where: { !parameters.contains($0) })
        else { return }
        let known = parameters.isEmpty ? "no parameters" : "only \(parameters.joined(separator: ", "))"
        throw APIFailure(.badRequest, "\(name.prefix(40)): unknown parameter; expected \(known)")
    }

    /// Returns the routes of a path; `nil` if the console does not have it.
    static func match(_ path: String) -> RouteMatch? {
        let parts = path.split(separator: "/")
        for routes in byPath {
            if let values = routes.path.values(in: parts) {
                return RouteMatch(path: routes.path, routes: routes.routes, values: values)
            }
        }
        return nil
    }

    /// The routes of each path, in the order of the table.
    private static let byPath: [(path: RoutePath, routes: [ConsoleRoute])] = {
        var paths: [RoutePath] = []
        for route in ConsoleRoute.all where !paths.contains(route.path) { paths.append(route.path) }
        return paths.map { path in (path: path, routes: ConsoleRoute.all.filter { $0.path == path }) }
    }()
}

/// The routes of the path of a request.
struct RouteMatch: Sendable {
    let path: RoutePath
    let routes: [ConsoleRoute]
    /// The decoded parameters of the path, in their order.
    let values: [String]

    /// The allowed methods. `HEAD` is answered as `GET`, without the body.
    var methods: [HTTPRequest.Method] {
        routes.flatMap { route -> [HTTPRequest.Method] in route.method == .get ? [.get, .head] : [route.method] }
    }

    /// True if the path takes telemetry.
    var isIngest: Bool { routes.contains { $0.admission == .ingest } }

    func route(_ method: HTTPRequest.Method) -> ConsoleRoute? {
        routes.first { $0.method == (method == .head ? .get : method) }
    }
}

/// A request that a route has admitted.
struct RouteCall: Sendable {
    let request: Request
    /// The decoded parameters of the path, in their order.
    let values: [String]
    /// The key that was admitted; `nil` if the console has none, or the route is open to everyone.
    let key: AccessKey?
    let client: RequestClient
    /// The address of the connection; `nil` without a network connection.
    let peer: String?

    var query: QueryReader { QueryReader(request.uri) }
    /// The first parameter of the path; empty if it has none.
    var id: String { values.first ?? "" }
}
