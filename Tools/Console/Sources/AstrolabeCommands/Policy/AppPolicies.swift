import Foundation

/// The policies of an app and the devices that have them, as a console lists them.
struct AppPolicies: Decodable {
    struct Policy: Decodable {
        struct Target: Decodable {
            let installations: [String]
        }

        let version: Int
        let state: String
        let percentage: Double
        let target: Target
        let expiresUs: Int64
        let hash: String
        let document: [String: JSONValue]
    }

    struct Use: Decodable {
        struct Version: Decodable {
            let version: Int?
            let hash: String
            let agents: Int
        }

        struct Refusal: Decodable {
            let version: Int?
            let message: String
            let agents: Int
        }

        let agents: Int
        let versions: [Version]
        let refusals: [Refusal]
    }

    let app: String
    let policies: [Policy]
    let use: Use

    init(_ json: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: json)
    }

    /// Returns the path of an app's policies.
    static func path(of app: String) -> String {
        "api/v1/policies/" + (app.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Returns the newest policy that an installation may have, with a request to it and the next version.
    func request(to installation: String, id: String) throws -> Data {
        let base = policies.first { policy in
            let only = policy.target.installations
            return policy.state == "active" && (only.isEmpty || only.contains(installation))
        }
        guard var document = base?.document, let newest = policies.first?.version else {
            throw PolicyFile.Failure(description: "\(app) has no active policy; push one first")
        }
        guard newest < Int.max else {
            throw PolicyFile.Failure(description: "version \(newest) of \(app) is the highest that a policy can have")
        }
        document["version"] = .int(newest + 1)
        document["requests"] = .array([
            .object(["id": .string(id), "kind": .string("promote"), "installation": .string(installation)])
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }
}

/// A value of JSON that is written as it was read.
enum JSONValue: Codable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
