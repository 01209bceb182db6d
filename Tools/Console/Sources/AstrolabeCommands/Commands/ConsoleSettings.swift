import ArgumentParser
import ClickHouse
import Foundation

/// The settings of a console from its command line, its environment and its file, in this order of precedence.
///
///     {"host": "0.0.0.0", "retention-days": 30, "public-name": ["console.example.com"]}
struct ConsoleSettings {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let options: ConsoleOptions
    /// The source of each value that is no default, by the name of the setting.
    private var sources: [String: String] = [:]
    private let hasPassword: Bool

    /// - Parameters:
    ///   - arguments: The arguments of `astrolabe console`.
    ///   - file: The path of the file with settings.
    /// - Throws: `Failure`, which names the variable or the key and what was expected.
    init(arguments: [String], file: String?, environment: [String: String]) throws {
        let found = try file.map { try Self.read($0) } ?? [:]
        var lower: [String] = []
        for setting in ConsoleSetting.all {
            let option = setting.option
            if arguments.contains(where: { $0 == option || $0.hasPrefix(option + "=") }) {
                sources[setting.name] = "command line"
            } else if let text = environment[setting.variable] {
                let values = setting.kind == .list ? Self.parts(text) : [text]
                lower += try Self.arguments(setting, values, place: setting.variable)
                sources[setting.name] = setting.variable
            } else if let file, let value = found[setting.name] {
                let place = "\(file), key \"\(setting.name)\""
                guard let values = value.texts(setting.kind) else {
                    throw Failure(description: "\(place): expected \(setting.kind.rawValue)")
                }
                lower += try Self.arguments(setting, values, place: place)
                sources[setting.name] = file
            }
        }
        options = try ConsoleCommand.parse(lower + arguments).options
        hasPassword = environment[ClickHouseAddress.passwordVariable].map { !$0.isEmpty } ?? false
    }

    /// A line for each setting, with its value and its source.
    var lines: [String] {
        var rows = ConsoleSetting.all.map { ($0.name, $0.shownValues(options), sources[$0.name] ?? "default") }
        if hasPassword { rows.append(("password of the store", "***", ClickHouseAddress.passwordVariable)) }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { name, value, source in
            name.padding(toLength: widths.0 + 2, withPad: " ", startingAt: 0)
                + value.padding(toLength: widths.1 + 2, withPad: " ", startingAt: 0) + source
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func arguments(_ setting: ConsoleSetting, _ values: [String], place: String) throws -> [String] {
        for value in values {
            let isReadable =
                switch setting.kind {
                case .integer: Int(value) != nil
                case .number: Double(value) != nil
                case .text, .list: !value.isEmpty
                }
            guard isReadable else {
                throw Failure(description: "\(place): expected \(setting.kind.rawValue), found \"\(value)\"")
            }
        }
        let arguments = values.map { "\(setting.option)=\($0)" }
        do {
            _ = try ConsoleOptions.parse(arguments)
        } catch {
            throw Failure(description: "\(place): \(ConsoleOptions.message(for: error))")
        }
        return arguments
    }

    private static func read(_ file: String) throws -> [String: Value] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
            throw Failure(description: "cannot read \(file)")
        }
        guard let values = try? JSONDecoder().decode([String: Value].self, from: data) else {
            throw Failure(description: "\(file): expected a JSON object of settings, such as {\"retention-days\": 30}")
        }
        let names = ConsoleSetting.all.map(\.name)
        if let unknown = values.keys.sorted().first(where: { !names.contains($0) }) {
            let known = names.joined(separator: ", ")
            throw Failure(description: "\(file): unknown key \"\(unknown)\". Expected one of \(known).")
        }
        return values
    }

    private enum Value: Decodable {
        case text(String)
        case number(Double)
        case list([String])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode([String].self) {
                self = .list(value)
            } else {
                self = .other
            }
        }

        /// The value as the arguments of an option; `nil` if it is of another kind.
        func texts(_ kind: ConsoleSetting.Kind) -> [String]? {
            switch (self, kind) {
            case (.text(let text), .text): [text]
            case (.list(let texts), .list): texts
            case (.number(let number), .integer), (.number(let number), .number):
                [Int(exactly: number).map { "\($0)" } ?? "\(number)"]
            default: nil
            }
        }
    }
}
