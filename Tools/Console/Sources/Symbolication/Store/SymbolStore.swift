package import Foundation

/// Debug information by build id, in a folder: `xx/yyyy…/image` beside `xx/yyyy…/facts.json`, where `xxyyyy…` is the
/// build id.
///
///     let store = SymbolStore(folder: URL(fileURLWithPath: ".astrolabe/symbols"))
///     try store.add(URL(fileURLWithPath: ".build/debug/astronomy-shop"))
///
/// A build appears whole or not at all: it is copied beside its place and moved there by one rename, so processes may
/// add and read at the same time.
package struct SymbolStore: Sendable {
    package let folder: URL
    package var limits = Limits()

    package struct Limits: Sendable {
        /// Bytes of one image. 2 GiB by default.
        package var imageBytes: UInt64 = 2 << 30
        /// Bytes of all images. 16 GiB by default.
        package var totalBytes: UInt64 = 16 << 30
        /// Files of a dSYM bundle that are looked at. 64 by default.
        package var filesOfBundle = 64

        package init() {}
    }

    package init(folder: URL) {
        self.folder = folder
    }

    /// The build with that id, if it is kept.
    package func symbols(_ id: BuildID) -> StoredSymbols? {
        guard let data = try? Data(contentsOf: place(of: id).appendingPathComponent("facts.json")), data.count < 65_536
        else { return nil }
        let stored = try? JSONDecoder().decode(StoredSymbols.self, from: data)
        return stored?.buildID == id ? stored : nil
    }

    /// All builds, the latest first.
    package func list() -> [StoredSymbols] {
        let files = FileManager.default
        let heads = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        let ids = heads.filter { $0.utf8.count == 2 }.flatMap { head in
            ((try? files.contentsOfDirectory(atPath: folder.appendingPathComponent(head).path)) ?? [])
                .compactMap { BuildID(head + $0) }
        }
        return ids.compactMap(symbols).sorted { ($1.addedAt, $0.name) < ($0.addedAt, $1.name) }
    }

    /// The file to read debug information of that build from.
    func image(_ id: BuildID) -> URL { place(of: id).appendingPathComponent("image") }

    func place(of id: BuildID) -> URL {
        folder.appendingPathComponent(String(id.hex.prefix(2))).appendingPathComponent(String(id.hex.dropFirst(2)))
    }
}
