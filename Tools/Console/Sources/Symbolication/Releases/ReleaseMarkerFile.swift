import Foundation

/// The file of a console's releases: JSON, next to the database, whatever database that is.
///
///     let releases = ReleaseMarkerFile(path: ".astrolabe/releases.json")
///     try await releases.record(marker, hasTime: false)
///     let marker = try await releases.marker(of: buildID)
package actor ReleaseMarkerFile {
    package nonisolated let path: String
    /// `nil` until the file was read.
    private var known: [ReleaseMarker]?

    /// The maximum number of releases. The oldest are removed for later ones.
    package static let limit = 2_000
    private static let longestFile = 16 << 20

    package init(path: String) {
        self.path = path
    }

    /// Returns all releases, newest first.
    package func markers() throws(ReleaseMarkerError) -> [ReleaseMarker] {
        if let known { return known }
        var read: [ReleaseMarker] = []
        if FileManager.default.fileExists(atPath: path) {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)), data.count <= Self.longestFile,
                let markers = try? JSONDecoder().decode([ReleaseMarker].self, from: data)
            else { throw .unreadable(path: path) }
            read = markers.compactMap { try? $0.checked() }
        }
        known = read
        return read
    }

    /// Adds a release, or what is new about it. A build belongs to the release that named it last.
    ///
    /// - Parameter hasTime: Whether the marker's time was given. Otherwise a release that is known keeps its time.
    /// - Returns: The release as it is stored.
    @discardableResult
    package func record(_ marker: ReleaseMarker, hasTime: Bool) throws(ReleaseMarkerError) -> ReleaseMarker {
        var all = try markers()
        var stored = marker
        if let index = all.firstIndex(where: { $0.isSame(as: marker) }) {
            stored = all.remove(at: index)
            stored.merge(marker, hasTime: hasTime)
        }
        for index in all.indices where !marker.builds.isEmpty {
            all[index].builds.removeAll { marker.builds.contains($0) }
        }
        all.append(stored)
        all.sort { ($0.time, $0.version, $0.build) > ($1.time, $1.version, $1.build) }
        // Not this one, which a clock that was set back makes the oldest.
        if all.count > Self.limit, let oldest = all.lastIndex(where: { $0 != stored }) { all.remove(at: oldest) }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            let url = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try encoder.encode(all).write(to: url, options: .atomic)
        } catch {
            throw .unwritable(path: path)
        }
        known = all
        return stored
    }

    /// Returns the release of a build.
    package func marker(of id: BuildID) throws(ReleaseMarkerError) -> ReleaseMarker? {
        try markers().first { $0.builds.contains(id) }
    }
}
