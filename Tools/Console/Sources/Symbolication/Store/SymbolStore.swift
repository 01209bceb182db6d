package import Foundation

/// A folder of debug symbols by build ID.
///
/// A build is stored as `xx/yyyy…/image` and `xx/yyyy…/facts.json`, where `xxyyyy…` is the build ID.
///
///     let store = SymbolStore(folder: URL(fileURLWithPath: ".astrolabe/symbols"))
///     try store.add(URL(fileURLWithPath: ".build/debug/astronomy-shop"))
///
/// Adding a build is atomic: it is copied to a temporary folder and then renamed. Several processes may add and read at
/// the same time.
package struct SymbolStore: Sendable {
    package let folder: URL
    package var limits = Limits()

    package struct Limits: Sendable {
        /// The maximum size of one image in bytes. The default is 2 GiB.
        package var imageBytes: UInt64 = 2 << 30
        /// The maximum size of all images in bytes. The default is 16 GiB.
        package var totalBytes: UInt64 = 16 << 30
        /// The maximum number of files in a dSYM bundle. The default is 64.
        package var filesOfBundle = 64

        package init() {}
    }

    package init(folder: URL) {
        self.folder = folder
    }

    /// Returns the build with that ID, or `nil` if it is not stored.
    package func symbols(_ id: BuildID) -> StoredSymbols? {
        guard let data = try? Data(contentsOf: place(of: id).appendingPathComponent("facts.json")), data.count < 65_536
        else { return nil }
        let stored = try? JSONDecoder().decode(StoredSymbols.self, from: data)
        return stored?.buildID == id ? stored : nil
    }

    /// Returns all builds, newest first.
    package func list() -> [StoredSymbols] {
        let files = FileManager.default
        let heads = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        let ids = heads.filter { $0.utf8.count == 2 }.flatMap { head in
            ((try? files.contentsOfDirectory(atPath: folder.appendingPathComponent(head).path)) ?? [])
                .compactMap { BuildID(head + $0) }
        }
        return ids.compactMap(symbols).sorted {
            ($1.order ?? 0, $1.addedAt, $0.name) < ($0.order ?? 0, $0.addedAt, $1.name)
        }
    }

    /// Returns the file that has the debug symbols of a build.
    func image(_ id: BuildID) -> URL { place(of: id).appendingPathComponent("image") }

    func place(of id: BuildID) -> URL {
        folder.appendingPathComponent(String(id.hex.prefix(2))).appendingPathComponent(String(id.hex.dropFirst(2)))
    }
}
