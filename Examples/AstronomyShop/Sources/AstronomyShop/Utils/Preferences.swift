import Foundation

/// The user's choices, kept over launches.
///
/// They are in a JSON file in the app's folder, because on Linux `UserDefaults` belongs to the user, not to the app.
/// Two simulated phones would share it.
struct Preferences: Sendable {
    struct Values: Codable, Hashable, Sendable {
        /// ISO 4217.
        var currencyCode: String?
    }

    var load: @Sendable () -> Values
    var save: @Sendable (Values) -> Void

    /// Keeps the choices in memory only.
    static let none = Preferences(load: { Values() }, save: { _ in })

    /// Reads the file. A file that cannot be read counts as empty; if it cannot be written, the choices last one
    /// launch.
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
