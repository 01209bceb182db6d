import Foundation

/// A message from the compiler. Only the parts that the macros need are decoded.
///
/// The format is that of swift-syntax's `SwiftCompilerPluginMessageHandling`: JSON, after its length in bytes as eight
/// bytes in little-endian order. A dependency on swift-syntax would add minutes to the first build of every app.
struct PluginRequest: Decodable {
    struct Macro: Decodable {
        let typeName: String
    }

    struct Syntax: Decodable {
        struct Location: Decodable {
            let fileName: String
            let offset: Int
        }

        let source: String
        let location: Location
    }

    struct Attached: Decodable {
        let macro: Macro
        let macroRole: String
        let declSyntax: Syntax
    }

    struct Empty: Decodable {}

    let getCapability: Empty?
    let expandAttachedMacro: Attached?
}

/// The reply to one message.
struct PluginReply: Encodable {
    struct CapabilityResult: Encodable {
        struct Capability: Encodable {
            let protocolVersion = 7
        }

        let capability = Capability()
    }

    struct Expansion: Encodable {
        let expandedSource: String
        let diagnostics: [Diagnostic]
    }

    struct Diagnostic: Encodable {
        struct Position: Encodable {
            let fileName: String
            let offset: Int
        }

        let message: String
        let severity = "error"
        let position: Position
        // The compiler expects these keys, and their order of nesting, in every diagnostic.
        let highlights: [Position] = []
        let notes: [Position] = []
        let fixIts: [Position] = []
    }

    private(set) var getCapabilityResult: CapabilityResult?
    private(set) var expandMacroResult: Expansion?

    static let capability = PluginReply(getCapabilityResult: CapabilityResult())

    static func expansion(_ source: String, diagnostics: [Diagnostic] = []) -> PluginReply {
        PluginReply(expandMacroResult: Expansion(expandedSource: source, diagnostics: diagnostics))
    }
}

extension FileHandle {
    /// The next message; `nil` at the end of the input, which the compiler marks with an empty message.
    func nextMessage() throws -> PluginRequest? {
        guard let header = try read(exactly: 8) else { return nil }
        let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count > 0, let body = try read(exactly: count) else { return nil }
        return try JSONDecoder().decode(PluginRequest.self, from: body)
    }

    func send(_ reply: PluginReply) throws {
        let body = try JSONEncoder().encode(reply)
        try write(contentsOf: Data((0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }) + body)
    }

    /// A pipe returns what it has, which may be less than was asked for.
    private func read(exactly count: Int) throws -> Data? {
        var data = Data()
        while data.count < count {
            guard let part = try read(upToCount: count - data.count), !part.isEmpty else { return nil }
            data += part
        }
        return data
    }
}
