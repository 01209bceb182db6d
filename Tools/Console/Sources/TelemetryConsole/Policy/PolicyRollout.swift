import AstrolabeRecording
import ConsoleModel

/// The facts of an installation by which a roll-out chooses.
struct PolicyDevice: Codable, Hashable, Sendable {
    /// `service.name`.
    var app = ""
    /// `service.version`.
    var appVersion = ""
    /// `os.name` and `os.version`, as in "iOS 18.1".
    var system = ""
    /// `device.model.identifier`.
    var model = ""
    /// `app.installation.id`, or the instance uid of an agent that sends none.
    var installation = ""
}

/// The installations of an app that get a document: those of a target, and a share of them.
///
///     {"percentage": 10, "target": {"appVersions": ["2.*"], "systems": ["iOS 18*"]}}
struct PolicyRollout: Hashable, Sendable {
    /// The share in percent, 0 to 100. The default is 100.
    var percentage = 100.0
    /// The default is all installations.
    var target = PolicyTarget()

    func includes(_ device: PolicyDevice) -> Bool {
        Self.place(of: device.installation) < percentage && target.matches(device)
    }

    /// Returns the place of an installation among all, from 0 to 99.99.
    ///
    /// It is the same for every document. So a larger share has all installations of a smaller one.
    static func place(of installation: String) -> Double {
        Double(StableHash(installation).low % 10_000) / 100
    }

    /// The reason for which this is no roll-out, with what was expected; `nil` if it is one.
    var fault: String? {
        guard (0...100).contains(percentage) else { return "percentage: expected 0 to 100, found \(percentage)" }
        return target.fault
    }
}

/// The installations that a document is for. Each list has patterns in which `*` stands for any characters and `?` for
/// one. An empty list is for all.
struct PolicyTarget: Hashable, Sendable {
    /// Patterns of `service.version`.
    var appVersions: [String] = []
    /// Patterns of the name and version of the system, as in "iOS 18*".
    var systems: [String] = []
    /// Patterns of `device.model.identifier`.
    var models: [String] = []
    /// Installation ids.
    var installations: [String] = []

    private static let longestList = 100
    /// The most bytes of a pattern, as of the fact that it is for.
    private static let longestPattern = 256

    func matches(_ device: PolicyDevice) -> Bool {
        let pairs = [
            (appVersions, device.appVersion), (systems, device.system), (models, device.model),
            (installations, device.installation),
        ]
        return pairs.allSatisfy { patterns, text in patterns.isEmpty || KeyPatterns(Set(patterns)).match(text) }
    }

    /// The reason for which this is no target, with what was expected; `nil` if it is one.
    fileprivate var fault: String? {
        for list in [appVersions, systems, models, installations] {
            guard list.count <= Self.longestList else { return "target: expected lists of at most \(Self.longestList)" }
            for pattern in list where !(1...Self.longestPattern).contains(pattern.utf8.count) {
                return "target: expected texts of 1 to \(Self.longestPattern) bytes"
            }
        }
        return nil
    }
}

extension PolicyRollout: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case percentage, target
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        percentage = try members.decodeIfPresent(Double.self, forKey: .percentage) ?? percentage
        target = try members.decodeIfPresent(PolicyTarget.self, forKey: .target) ?? target
    }
}

extension PolicyTarget: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case appVersions, systems, models, installations
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(CodingKeys.self)
        appVersions = try members.decodeIfPresent([String].self, forKey: .appVersions) ?? []
        systems = try members.decodeIfPresent([String].self, forKey: .systems) ?? []
        models = try members.decodeIfPresent([String].self, forKey: .models) ?? []
        installations = try members.decodeIfPresent([String].self, forKey: .installations) ?? []
    }
}

extension Decoder {
    /// Returns the members of an object, of which none may have another name: a misspelled target would be for all.
    func members<Key: CodingKey & CaseIterable>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        for key in try container(keyedBy: AnyKey.self).allKeys where Key(stringValue: key.stringValue) == nil {
            let known = Key.allCases.map(\.stringValue).joined(separator: ", ")
            let found = key.stringValue.prefix(100).debugDescription
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(known), found \(found)"))
        }
        return try container(keyedBy: keys)
    }
}

/// The name of any member.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
