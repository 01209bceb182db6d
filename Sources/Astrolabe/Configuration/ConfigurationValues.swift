import AstrolabeAppHealth
import AstrolabeSessionReplay
import AstrolabeViewTracing
import Foundation

/// The entries of one source, read by key with the type that is expected.
struct ConfigurationValues {
    let source: String
    /// How to reach this part of the file, with a dot at the end; empty at the top.
    let prefix: String
    private let entries: [String: Any]

    init(source: String, prefix: String = "", entries: [String: Any]) {
        self.source = source
        self.prefix = prefix
        self.entries = entries
    }

    /// A text that is not empty.
    func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = entries[key] else { return nil }
        guard let text = value as? String else { throw error(key, "expected a string, found \(kind(of: value))") }
        guard !text.isEmpty else { throw error(key, "expected a string that is not empty") }
        return text
    }

    func requiredString(_ key: String) throws(ConfigurationError) -> String {
        guard let text = try string(key) else { throw error(key, "expected a string, found nothing") }
        return text
    }

    func bool(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = entries[key] else { return nil }
        if kind(of: value) == "true or false", let flag = value as? Bool { return flag }
        throw error(key, "expected true or false, found \(kind(of: value))")
    }

    func number(_ key: String) throws(ConfigurationError) -> Double? {
        guard let value = entries[key] else { return nil }
        guard kind(of: value) == "a number", let number = (value as? NSNumber)?.doubleValue, number > 0 else {
            throw error(key, "expected a number above 0, found \(kind(of: value))")
        }
        return number
    }

    /// An address with a host, by HTTP or HTTPS.
    func url(_ key: String) throws(ConfigurationError) -> URL? {
        guard let text = try string(key) else { return nil }
        guard let url = Self.httpURL(text) else {
            throw error(key, "expected an address such as https://collector.example:4318")
        }
        return url
    }

    func viewTracing(_ key: String) throws(ConfigurationError) -> ViewTracingMode? {
        guard let text = try string(key) else { return nil }
        guard let mode = ViewTracingMode(rawValue: text.lowercased()) else {
            throw error(key, "expected off, compact or full")
        }
        return mode
    }

    func health(_ key: String) throws(ConfigurationError) -> HealthConfiguration.Parts? {
        guard let text = try string(key) else { return nil }
        guard let parts = HealthConfiguration.Parts(names: text) else {
            throw error(
                key,
                "expected all, off, or some of crashes, hangs, frames, starts and process with commas between them", )
        }
        return parts
    }

    func consent(_ key: String) throws(ConfigurationError) -> TelemetryConsent? {
        guard let text = try string(key) else { return nil }
        guard let consent = TelemetryConsent(rawValue: text.lowercased()) else {
            throw error(key, "expected pending, granted or denied")
        }
        return consent
    }

    func replayMasking(_ key: String) throws(ConfigurationError) -> ReplayConfiguration.Masking? {
        guard let text = try string(key) else { return nil }
        guard let masking = ReplayConfiguration.Masking(rawValue: text.lowercased()) else {
            throw error(key, "expected all or inputs")
        }
        return masking
    }

    /// Texts that are not empty.
    func list(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let value = entries[key] else { return nil }
        guard let values = value as? [Any] else { throw error(key, "expected an array, found \(kind(of: value))") }
        var texts: [String] = []
        for value in values {
            guard let text = value as? String, !text.isEmpty else {
                throw error(key, "expected strings that are not empty, found \(kind(of: value)) among them")
            }
            texts.append(text)
        }
        return texts
    }

    /// A part of the file with entries of its own; an empty one where it is absent.
    func section(_ key: String) throws(ConfigurationError) -> ConfigurationValues {
        guard let value = entries[key] else {
            return ConfigurationValues(source: source, prefix: prefix + key + ".", entries: [:])
        }
        guard let section = value as? [String: Any] else {
            throw error(key, "expected an object, found \(kind(of: value))")
        }
        return ConfigurationValues(source: source, prefix: prefix + key + ".", entries: section)
    }

    /// Entries that are all text.
    func strings(_ key: String) throws(ConfigurationError) -> [String: String] {
        let section = try section(key)
        var result: [String: String] = [:]
        for name in section.entries.keys.sorted() { result[name] = try section.string(name) }
        return result
    }

    /// The keys of this part of the file that are none of `known`, with their section, in order.
    func keys(except known: Set<String>) -> [String] {
        entries.keys.filter { !known.contains($0) }.sorted().map { prefix + $0 }
    }

    func error(_ key: String, _ problem: String) -> ConfigurationError {
        ConfigurationError(source: source, key: prefix + key, problem: problem)
    }

    static func httpURL(_ text: String) -> URL? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { return nil }
        return url
    }

    /// What came, without its value, which may be a secret.
    private func kind(of value: Any) -> String {
        switch value {
        case is String: "a string"
        case let number as NSNumber where isTruthValue(number): "true or false"
        case is NSNumber: "a number"
        case is [Any]: "an array"
        case is [String: Any]: "an object"
        case is Data: "data"
        case is Date: "a date"
        default: "nothing that is known"
        }
    }

    /// Foundation's readers give truth values the Objective-C type of a `char` or a `bool`, and numbers another.
    private func isTruthValue(_ number: NSNumber) -> Bool {
        ["c", "B"].contains(String(cString: number.objCType))
    }
}
