/// One build of an app that was released: its version, its commit and its build IDs.
///
/// The names of its facts are those of the records. See ``ReleaseMarker/Key``.
package struct ReleaseMarker: Sendable, Hashable, Codable {
    /// The name of the app; empty if it was not given.
    package var service = ""
    package var version: String
    /// The build number; empty if it was not given.
    package var build = ""
    /// The commit in lowercase hexadecimal digits; empty if it was not given.
    package var commit = ""
    /// The address of the repository's page; empty if it was not given.
    package var repository = ""
    /// When it was released, in seconds since 1970.
    package var time: Int64
    /// The builds of its executables and libraries.
    package var builds: [BuildID] = []

    package enum Key {
        package static let service = "service.name"
        package static let version = "service.version"
        package static let build = "astrolabe.app.build_number"
        package static let commit = "vcs.ref.head.revision"
        package static let repository = "vcs.repository.url.full"
    }

    /// The maximum number of builds. An app has its executable, its extensions and its frameworks.
    package static let buildLimit = 64

    /// Checks the facts, which come from a network.
    ///
    /// - Parameter facts: Values by the names of ``Key``. An empty value counts as none.
    /// - Throws: `ReleaseMarkerError.invalid`, which names the fact.
    package init(_ facts: [String: String], time: Int64, builds: [BuildID] = []) throws(ReleaseMarkerError) {
        service = try Self.text(facts[Key.service], Key.service, limit: 200)
        version = try Self.text(facts[Key.version], Key.version, limit: 100)
        build = try Self.text(facts[Key.build], Key.build, limit: 100)
        commit = (facts[Key.commit] ?? "").lowercased()
        repository = try Self.text(facts[Key.repository], Key.repository, limit: 300)
        // Nanoseconds until the year 2262 have 64 bits.
        self.time = min(max(time, 0), 9_000_000_000)
        self.builds = builds
        guard !version.isEmpty else { throw .invalid(Key.version, expected: "a version, such as 2.1.0") }
        guard commit.isEmpty || ((7...64).contains(commit.utf8.count) && commit.allSatisfy(\.isHexDigit)) else {
            throw .invalid(Key.commit, expected: "7 to 64 hexadecimal digits")
        }
        guard repository.isEmpty || Self.isPage(repository) else {
            throw .invalid(Key.repository, expected: "an address with https and without user, query and fragment")
        }
        guard builds.count <= Self.buildLimit else {
            throw .invalid("builds", expected: "at most \(Self.buildLimit) build IDs")
        }
    }

    /// The same marker, with the checks of the initializer.
    func checked() throws(ReleaseMarkerError) -> ReleaseMarker {
        let facts = [
            Key.service: service, Key.version: version, Key.build: build, Key.commit: commit,
            Key.repository: repository,
        ]
        return try ReleaseMarker(facts, time: time, builds: builds)
    }

    private static func text(
        _ text: String?, _ key: String, limit: Int,
    ) throws(ReleaseMarkerError) -> String {
        guard let text else { return "" }
        guard text.utf8.count <= limit, text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw .invalid(key, expected: "at most \(limit) bytes without control characters")
        }
        return text
    }

    /// Returns true if pages may link to the address: it has no credentials, and no part that a script could be in.
    private static func isPage(_ address: String) -> Bool {
        guard address.hasPrefix("https://"), let host = address.dropFirst(8).split(separator: "/").first else {
            return false
        }
        return !host.contains("@")
            && address.utf8.allSatisfy { byte in
                byte > 32 && byte < 127 && !"\"'<>\\^`{}|?#".utf8.contains(byte)
            }
    }

    /// Returns true if another marker is of the same release. What was not given does not differ.
    func isSame(as other: ReleaseMarker) -> Bool {
        func agree(_ fact: KeyPath<ReleaseMarker, String>) -> Bool {
            self[keyPath: fact] == other[keyPath: fact] || self[keyPath: fact].isEmpty || other[keyPath: fact].isEmpty
        }
        return version == other.version && agree(\.service) && agree(\.build) && agree(\.commit)
    }

    /// Adds what a later report of the same release says.
    mutating func merge(_ other: ReleaseMarker, hasTime: Bool) {
        if !other.service.isEmpty { service = other.service }
        if !other.build.isEmpty { build = other.build }
        if !other.commit.isEmpty { commit = other.commit }
        if !other.repository.isEmpty { repository = other.repository }
        if hasTime { time = other.time }
        builds = Array((builds.filter { !other.builds.contains($0) } + other.builds).suffix(Self.buildLimit))
    }
}

/// The errors of recording releases.
package enum ReleaseMarkerError: Error, Hashable, Sendable {
    case invalid(String, expected: String)
    case unreadable(path: String)
    case unwritable(path: String)
}

extension ReleaseMarkerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let key, let expected): "\(key): expected \(expected)"
        case .unreadable(let path): "\(path) is damaged. Repair it, or remove it to start without releases."
        case .unwritable(let path): "cannot write to \(path). Check its permissions and the free space."
        }
    }
}
