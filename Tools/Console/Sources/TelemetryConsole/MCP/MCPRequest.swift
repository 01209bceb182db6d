import Foundation

/// A JSON-RPC message of the Model Context Protocol, with what this server reads of it.
struct MCPRequest: Decodable, Sendable {
    /// `nil` for a notification, which has no response.
    let id: ID?
    let method: String
    let params: Parameters?

    enum ID: Decodable, Sendable, Hashable {
        case number(Int64)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    struct Parameters: Decodable, Sendable {
        /// The tool to call.
        let name: String?
        let arguments: [String: Argument]?
        /// The version that `initialize` asks for.
        let protocolVersion: String?
        let _meta: Meta?

        /// What a request since 2026-07-28 says about itself.
        struct Meta: Decodable, Sendable {
            let protocolVersion: String?

            private enum CodingKeys: String, CodingKey {
                case protocolVersion = "io.modelcontextprotocol/protocolVersion"
            }
        }
    }

    /// The value of a tool's parameter, as the text that the API expects.
    struct Argument: Decodable, Sendable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                text = String(flag)
            } else if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
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
    static func invalid(_ message: String) -> Self { Self(code: -32_602, status: 400, message: message) }
    static func unknownMethod(_ name: String) -> Self {
        Self(code: -32_601, status: 404, message: "unknown method \(name.prefix(100))")
    }
}
