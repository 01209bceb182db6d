package import Foundation

/// The times at which keys were used last, in a file of their own: `keys.json.used`. So the file of the keys changes
/// only when an operator changes a key.
extension KeyFile {
    private struct LastUses: Codable {
        /// By the ids of the keys.
        let keys: [String: Date]
    }

    private var lastUsePath: String { path + ".used" }

    /// Returns when each key was admitted last, by its id, to about a minute. A key that was never used is absent.
    ///
    /// The file is for people to read. If it is missing or damaged, it has no times, and the next ones replace it.
    package func lastUses() -> [String: Date] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: lastUsePath)),
            let uses = try? Self.decoder.decode(LastUses.self, from: data)
        else { return [:] }
        return uses.keys
    }

    /// Adds times to the file. A newer one replaces that of its key, also if the clock was set back since.
    package func record(_ uses: [String: Date]) throws(KeyFileError) {
        try locked { () throws(KeyFileError) in
            let all = lastUses().merging(uses.mapValues(Self.second)) { $1 }
            try Self.replace(lastUsePath, with: LastUses(keys: all))
        }
    }
}
