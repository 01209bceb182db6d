import ConsoleModel
import HTTPTypes

/// A JSON-RPC response of the Model Context Protocol, with the status that it has over HTTP if it is alone.
struct MCPResponse: Sendable {
    let json: JSONText
    let status: HTTPResponse.Status

    init(_ id: MCPRequest.ID?, _ result: JSONText) {
        json = Self.message(id, capacity: result.bytes.count + 100) { text in
            text.member("result") { $0.append(json: result.string) }
        }
        status = .ok
    }

    /// - Parameter id: `nil` if the message has none that could be read.
    init(_ id: MCPRequest.ID?, _ error: MCPError) {
        json = Self.message(id, capacity: 500) { text in
            text.member("error") { text in
                text.object { text in
                    text.member("code", error.code)
                    text.member("message", error.message)
                    guard let supported = error.supported else { return }
                    text.member("data") { text in
                        text.object { $0.member("supported") { $0.array(supported) { $0.append($1) } } }
                    }
                }
            }
        }
        status = HTTPResponse.Status(code: error.status)
    }

    private static func message(
        _ id: MCPRequest.ID?, capacity: Int, _ write: (inout JSONText) -> Void,
    ) -> JSONText {
        var text = JSONText(capacity: capacity)
        text.object { text in
            text.member("jsonrpc", "2.0")
            switch id {
            case .number(let number)?: text.member("id", number)
            case .text(let id)?: text.member("id", id)
            case nil: text.member("id") { $0.append(raw: "null") }
            }
            write(&text)
        }
        return text
    }
}
