/// A JSON-RPC request of the Model Context Protocol, with what this server reads of it.
struct MCPRequest: Sendable {
    let id: ID
    let method: String
    /// Empty if the message has none, or `null`.
    let params: [String: MCPValue]

    enum ID: Sendable, Hashable {
        case number(Int64)
        case text(String)

        /// Reads the id of a message, also of one that is no valid request; `nil` if it has none.
        init?(of message: MCPValue) {
            guard case .object(let members) = message else { return nil }
            switch members["id"] {
            case .integer(let number)?: self = .number(number)
            case .text(let text)?: self = .text(text)
            default: return nil
            }
        }
    }

    /// Reads a message; `nil` if it is a notification or a response, which have no response.
    static func read(_ message: MCPValue) throws(MCPError) -> MCPRequest? {
        guard case .object(let members) = message else {
            throw .invalidRequest("expected a message as an object, found \(message.kind)")
        }
        if members["method"] == nil, members["result"] != nil || members["error"] != nil { return nil }
        guard members["jsonrpc"] == .text("2.0"), case .text(let method)? = members["method"] else {
            throw .invalidRequest("expected \"jsonrpc\": \"2.0\" and a method")
        }
        guard let given = members["id"] else { return nil }
        guard let id = ID(of: message) else {
            throw .invalidRequest("id: expected a text or an integer, found \(given.kind)")
        }
        return MCPRequest(id: id, method: method, params: try Self.object("params", in: members))
    }

    /// Returns a text of the parameters; `nil` if it is missing or `null`.
    func text(_ name: String) throws(MCPError) -> String? {
        switch params[name] {
        case .text(let text)?: return text
        case .none, .null?: return nil
        case let other?: throw .invalid("\(name): expected a text, found \(other.kind)")
        }
    }

    /// Returns the arguments of a tool.
    func arguments() throws(MCPError) -> [String: MCPValue] {
        try Self.object("arguments", in: params)
    }

    /// The version that a request since 2026-07-28 names; `nil` for a request of an earlier version.
    func version() throws(MCPError) -> String? {
        let meta = try Self.object("_meta", in: params)
        guard case .text(let version)? = meta["io.modelcontextprotocol/protocolVersion"] else { return nil }
        return version
    }

    private static func object(
        _ name: String, in members: [String: MCPValue],
    ) throws(MCPError) -> [String: MCPValue] {
        switch members[name] {
        case .object(let members)?: return members
        case .none, .null?: return [:]
        case let other?: throw .invalid("\(name): expected an object, found \(other.kind)")
        }
    }
}

/// An error of JSON-RPC, with the status that it has over HTTP.
struct MCPError: Error, Sendable {
    let code: Int
    let status: Int
    let message: String
    /// The versions that the server speaks, if the asked one is not among them.
    var supported: [String]?

    static func parse(_ message: String) -> Self { Self(code: -32_700, status: 400, message: message) }
    static func invalidRequest(_ message: String) -> Self { Self(code: -32_600, status: 400, message: message) }
    static func invalid(_ message: String) -> Self { Self(code: -32_602, status: 400, message: message) }
    static func unknownMethod(_ name: String) -> Self {
        Self(code: -32_601, status: 404, message: "unknown method \(name.prefix(100))")
    }
}
