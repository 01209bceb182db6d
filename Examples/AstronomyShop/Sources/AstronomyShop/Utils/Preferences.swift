import Foundation

/// What a person has chosen, kept over launches.
///
/// A small JSON file in the app's own folder rather than `UserDefaults`, which on Linux belongs to the user and not to
/// the app, so that two simulated phones would share it.
struct Preferences: Sendable {
    struct Values: Codable, Hashable, Sendable {
        /// ISO 4217.
        var currencyCode: String?
    }

    var load: @Sendable () -> Values
    var save: @Sendable (Values) -> Void

    /// Keeps nothing.
    static let none = Preferences(load: { Values() }, save: { _ in })

    /// A file that cannot be read counts as no choices; one that cannot be written means that they last one launch.
    static func file(_ url: URL) -> Preferences {
        Preferences(
            load: {
                guard let data = try? Data(contentsOf: url), data.count < 65_536 else { return Values() }
                return (try? JSONDecoder().decode(Values.self, from: data)) ?? Values()
            },
            save: { values in
                guard let data = try? JSONEncoder().encode(values) else { return }
                try? FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                )
                try? data.write(to: url, options: .atomic)
            },
        )
    }
}
