package import Foundation

extension SymbolStore {
    /// Stores the debug symbols of every image in a file or in a dSYM bundle.
    ///
    /// Replaces a stored build only if the file has more information: one with lines replaces one without.
    @discardableResult
    package func add(_ file: URL) throws(SymbolError) -> [SymbolAddition] {
        var additions: [SymbolAddition] = []
        for part in try files(of: file) { additions += try addFile(part) }
        return additions
    }

    /// Returns the files with debug symbols of a dSYM bundle, or the file itself.
    package func files(of file: URL) throws(SymbolError) -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
            throw .noFile(path: file.path)
        }
        return isFolder.boolValue ? try filesOfBundle(file) : [file]
    }

    private func filesOfBundle(_ bundle: URL) throws(SymbolError) -> [URL] {
        let inside = bundle.appendingPathComponent("Contents/Resources/DWARF")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: inside.path))?.sorted() ?? []
        guard !names.isEmpty else {
            throw .notAnImage(path: bundle.path, detail: "it is a folder without Contents/Resources/DWARF")
        }
        guard names.count <= limits.filesOfBundle else {
            throw .notAnImage(
                path: bundle.path, detail: "it has \(names.count) files; the limit is \(limits.filesOfBundle)")
        }
        return names.map { inside.appendingPathComponent($0) }
    }

    private func addFile(_ file: URL) throws(SymbolError) -> [SymbolAddition] {
        let handle: FileHandle
        let images: [ImageFacts]
        do {
            handle = try FileHandle(forReadingFrom: file)
            images = try ImageFacts.read(ByteSource(handle))
        } catch let fault as ImageFault {
            switch fault {
            case .damaged(let detail): throw .notAnImage(path: file.path, detail: "it is damaged, \(detail)")
            case .unsupported(let detail): throw .notAnImage(path: file.path, detail: detail)
            }
        } catch {
            throw .unreadable(path: file.path, detail: error.localizedDescription)
        }
        defer { try? handle.close() }
        var additions: [SymbolAddition] = []
        for image in images { additions.append(try add(image, of: file, handle)) }
        return additions
    }

    private func add(_ image: ImageFacts, of file: URL, _ handle: FileHandle) throws(SymbolError) -> SymbolAddition {
        guard let id = image.buildID else { throw .noBuildID(path: file.path) }
        guard image.hasLines || image.hasFunctions else { throw .stripped(path: file.path, buildID: id) }
        let bytes = image.range.upperBound - image.range.lowerBound
        guard bytes <= limits.imageBytes else {
            throw .tooLarge(path: file.path, bytes: bytes, limit: limits.imageBytes)
        }
        if let known = symbols(id), known.facts.worth >= image.worth { return .known(known) }
        let others = list().filter { $0.buildID != id }
        let total = others.reduce(bytes) { $0 + $1.bytes }
        guard total <= limits.totalBytes else {
            throw .storeFull(folder: folder.path, bytes: total, limit: limits.totalBytes)
        }
        let stored = StoredSymbols(
            buildID: id, name: file.lastPathComponent, facts: image, bytes: bytes,
            addedAt: Int64(Date().timeIntervalSince1970), order: (others.compactMap(\.order).max() ?? 0) + 1,
        )
        do {
            try keep(stored, from: handle)
        } catch {
            throw .cannotStore(folder: folder.path, detail: error.localizedDescription)
        }
        return .added(stored)
    }

    private func keep(_ stored: StoredSymbols, from handle: FileHandle) throws {
        let files = FileManager.default
        let place = place(of: stored.buildID)
        let incoming = folder.appendingPathComponent("incoming-\(UUID().uuidString)")
        defer { try? files.removeItem(at: incoming) }
        let made = incoming.appendingPathComponent("new")
        try files.createDirectory(at: made, withIntermediateDirectories: true)
        try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        let image = made.appendingPathComponent("image")
        try Data().write(to: image)
        let output = try FileHandle(forWritingTo: image)
        defer { try? output.close() }
        try handle.seek(toOffset: stored.facts.range.lowerBound)
        var left = stored.bytes
        while left > 0 {
            guard let part = try handle.read(upToCount: Int(min(left, 1 << 20))), !part.isEmpty else {
                throw CocoaError(.fileReadCorruptFile)
            }
            try output.write(contentsOf: part)
            left -= UInt64(part.count)
        }
        try output.synchronize()
        try JSONEncoder().encode(stored).write(to: made.appendingPathComponent("facts.json"))
        if files.fileExists(atPath: place.path) {
            try files.moveItem(at: place, to: incoming.appendingPathComponent("old"))
        }
        try files.moveItem(at: made, to: place)
    }
}

extension ImageFacts {
    /// A rank by which builds are compared: lines are worth more than functions.
    fileprivate var worth: Int { (hasLines ? 2 : 0) + (hasFunctions ? 1 : 0) }
}
