import AsyncHTTPClient
import Foundation

/// The proxies that environment variables name, with the rules of curl.
///
/// `HTTP_PROXY` in capitals is not read: a web server that runs programs sets it from the `Proxy` field of a request.
struct ProxyEnvironment: Sendable {
    enum Route: Hashable, Sendable {
        case direct
        case proxy(HTTPClient.Configuration.Proxy)
        /// The variable's proxy has a scheme that AsyncHTTPClient does not speak.
        case unsupported(variable: String)
    }

    private let routes: [String: Route]
    private let exceptions: [Substring]

    init(_ environment: [String: String]) {
        let variables = [
            "http": ["http_proxy", "all_proxy", "ALL_PROXY"],
            "https": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
        ]
        routes = variables.compactMapValues { names in
            for name in names {
                if let text = environment[name], !text.isEmpty { return Self.route(text, variable: name) }
            }
            return nil
        }
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        exceptions = list.lowercased().split { $0 == "," || $0.isWhitespace }
    }

    /// All proxies that a request may take.
    var all: Set<HTTPClient.Configuration.Proxy> {
        Set(
            routes.values.compactMap { route -> HTTPClient.Configuration.Proxy? in
                guard case .proxy(let proxy) = route else { return nil }
                return proxy
            })
    }

    func route(to url: URL) -> Route {
        guard let route = routes[url.scheme?.lowercased() ?? ""], let host = url.host, !isExcepted(host, url.port)
        else { return .direct }
        return route
    }

    private func isExcepted(_ host: String, _ port: Int?) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return exceptions.contains { exception in
            if exception == "*" { return true }
            var name = exception.drop { $0 == "." }
            // An address of IPv6 has several colons.
            if let colon = name.lastIndex(of: ":"), name.firstIndex(of: ":") == colon {
                guard name[name.index(after: colon)...] == "\(port ?? 0)" else { return false }
                name = name[..<colon]
            }
            return host == name || host.hasSuffix(".\(name)")
        }
    }

    private static func route(_ text: String, variable: String) -> Route {
        let address = URLComponents(string: text.contains("://") ? text : "http://" + text)
        guard let address, let host = address.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")),
            !host.isEmpty
        else { return .unsupported(variable: variable) }
        switch address.scheme?.lowercased() {
        case "http":
            let authorization = address.user.map {
                HTTPClient.Authorization.basic(username: $0, password: address.password ?? "")
            }
            return .proxy(.server(host: host, port: address.port ?? 80, authorization: authorization))
        case "socks5" where address.user == nil, "socks5h" where address.user == nil:
            return .proxy(.socksServer(host: host, port: address.port ?? 1_080))
        default: return .unsupported(variable: variable)
        }
    }
}
