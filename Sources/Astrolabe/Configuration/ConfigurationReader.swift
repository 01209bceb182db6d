import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeViewTracing
package import Foundation

/// The entries of one source, read by key with the type that is expected.
///
/// A value that cannot be read counts as absent. It keeps what was wrong, and which keys it was asked for, so that the
/// others can be reported.
final class ConfigurationReader {
    /// The values that could not be read, in all parts of a source.
    private final class Problems {
        var errors: [ConfigurationError] = []
    }

    private let source: String
    /// The path to this part of the file, with a dot at the end; empty at the top.
    private let prefix: String
    private let entries: [String: Any]
    private let problems: Problems
    private var asked: Set<String> = []
    private var sections: [ConfigurationReader] = []

    convenience init(source: String, entries: [String: Any]) {
        self.init(source: source, prefix: "", entries: entries, problems: Problems())
    }

    private init(source: String, prefix: String, entries: [String: Any], problems: Problems) {
        self.source = source
        self.prefix = prefix
        self.entries = entries
        self.problems = problems
    }

    /// The values that could not be read, in the order in which they were asked for.
    var errors: [ConfigurationError] { problems.errors }

    /// The keys that were not asked for, with their section: first those at the top, then those of each section.
    var unknownKeys: [String] {
        entries.keys.filter { !asked.contains($0) }.sorted().map { prefix + $0 } + sections.flatMap(\.unknownKeys)
    }

    /// The keys of values that were asked for, with their section.
    var knownKeys: Set<String> {
        var keys = Set(asked.map { prefix + $0 })
        for section in sections {
            keys.remove(String(section.prefix.dropLast()))
            keys.formUnion(section.knownKeys)
        }
        return keys
    }

    /// Reports that the value of a key is wrong.
    func report(_ key: String, _ problem: String) {
        problems.errors.append(ConfigurationError(source: source, key: prefix + key, problem: problem))
    }

    /// Marks a key that others read.
    func skip(_ key: String) { asked.insert(key) }

    private func value(_ key: String) -> Any? {
        asked.insert(key)
        return entries[key]
    }

    /// A text that is not empty.
    func text(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value as? String else {
            report(key, "expected a string, found \(kind(of: value))")
            return nil
        }
        if text.isEmpty { report(key, "expected a string that is not empty") }
        return text.isEmpty ? nil : text
    }

    /// A text that must be there.
    func requiredText(_ key: String) -> String? {
        if entries[key] == nil { report(key, "expected a string, found nothing") }
        return text(key)
    }

    /// One of the texts of an enumeration, in any case.
    func choice<Choice: RawRepresentable<String>>(_ key: String, _ expected: String, of _: Choice.Type) -> Choice? {
        guard let text = text(key) else { return nil }
        let choice = Choice(rawValue: text.lowercased())
        if choice == nil { report(key, "expected " + expected) }
        return choice
    }

    /// One of two words, in any case: whether it is the first.
    func word(_ key: String, _ yes: String, or no: String) -> Bool? {
        guard let text = text(key)?.lowercased() else { return nil }
        if text != yes, text != no { report(key, "expected \(yes) or \(no)") }
        return text == yes ? true : text == no ? false : nil
    }

    /// A whole number as text.
    func whole(_ key: String, unit: String = "", atLeast least: Int) -> Int? {
        guard let text = text(key) else { return nil }
        if let number = Int(text), number >= least { return number }
        report(key, "expected a whole number\(unit)\(least == 0 ? ", 0 or more" : " above 0")")
        return nil
    }

    /// Milliseconds as text.
    func milliseconds(_ key: String, atLeast least: Int = 1) -> Duration? {
        whole(key, unit: " of milliseconds", atLeast: least).map { .milliseconds($0) }
    }

    /// An address with a host, by HTTP or HTTPS.
    func url(_ key: String) -> URL? {
        guard let text = text(key) else { return nil }
        let url = URL(httpAddress: text)
        if url == nil { report(key, "expected an address such as https://collector.example:4318") }
        return url
    }

    /// `name=value,name=value` with percent-encoding, the form of W3C Baggage.
    func pairs(_ key: String, isNameEncoded: Bool = false) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in (text(key) ?? "").split(separator: ",") where !part.allSatisfy(\.isWhitespace) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let encoded = sides[0].trimmingCharacters(in: .whitespaces)
            guard sides.count == 2, let value = sides[1].removingPercentEncoding,
                let name = isNameEncoded ? encoded.removingPercentEncoding : encoded, !name.isEmpty
            else {
                report(key, "expected name=value pairs with commas between them")
                return []
            }
            pairs.append((name, value.trimmingCharacters(in: .whitespaces)))
        }
        return pairs
    }

    func bool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        if kind(of: value) == "true or false", let flag = value as? Bool { return flag }
        report(key, "expected true or false, found \(kind(of: value))")
        return nil
    }

    /// A number above 0.
    func number(_ key: String) -> Double? {
        guard let value = value(key) else { return nil }
        if kind(of: value) == "a number", let number = (value as? NSNumber)?.doubleValue, number > 0 { return number }
        report(key, "expected a number above 0, found \(kind(of: value))")
        return nil
    }

    /// Texts that are not empty.
    func list(_ key: String) -> [String]? {
        guard let value = value(key) else { return nil }
        guard let values = value as? [Any] else {
            report(key, "expected an array, found \(kind(of: value))")
            return nil
        }
        var texts: [String] = []
        for value in values {
            guard let text = value as? String, !text.isEmpty else {
                report(key, "expected strings that are not empty, found \(kind(of: value)) among them")
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    /// A part of the file with entries of its own; an empty one where it is absent.
    func section(_ key: String) -> ConfigurationReader {
        let section = part(key)
        sections.append(section)
        return section
    }

    /// The entries of a part of the file, all of them text, in the order of their names.
    func texts(_ key: String) -> [(name: String, value: String)] {
        let part = part(key)
        return Array(part.entries.keys).sorted().compactMap { name in part.text(name).map { (name, $0) } }
    }

    private func part(_ key: String) -> ConfigurationReader {
        let value = value(key)
        let entries = value as? [String: Any]
        if let value, entries == nil { report(key, "expected an object, found \(kind(of: value))") }
        return ConfigurationReader(
            source: source, prefix: prefix + key + ".", entries: entries ?? [:], problems: problems)
    }

    /// The kind of a value that came, without the value, which may be a secret.
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

// What each source may say, under a key of its own.
extension ConfigurationReader {
    func consent(_ key: String) -> TelemetryConsent? {
        choice(key, "pending, granted or denied", of: TelemetryConsent.self)
    }

    func viewTracing(_ key: String) -> ViewTracingMode? {
        choice(key, "off, compact or full", of: ViewTracingMode.self)
    }

    func replayMasking(_ key: String) -> ReplayConfiguration.Masking? {
        choice(key, "all or inputs", of: ReplayConfiguration.Masking.self)
    }

    func health(_ key: String) -> HealthConfiguration.Parts? {
        guard let text = text(key) else { return nil }
        let parts = HealthConfiguration.Parts(names: text)
        if parts == nil {
            report(
                key,
                "expected all, off, or some of crashes, hangs, frames, starts and process with commas between them")
        }
        return parts
    }
}

extension TelemetryConfiguration {
    /// Sends to another server, with the headers and settings of the endpoint so far.
    mutating func moveEndpoint(to url: URL) {
        var moved = endpoint ?? OTLPEndpoint(url: url)
        moved.url = url
        endpoint = moved
    }

    /// Changes what is sent to the endpoint. Headers and timeouts name no server, so whether one is given stays.
    mutating func adjustEndpoint(_ change: (inout OTLPEndpoint) -> Void) {
        guard var adjusted = endpoint else { return }
        change(&adjusted)
        let isGiven = isEndpointGiven
        endpoint = adjusted
        isEndpointGiven = isGiven
    }
}

extension URL {
    /// An address with a host, by HTTP or HTTPS; `nil` for any other text.
    package init?(httpAddress text: String) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { return nil }
        self = url
    }
}
