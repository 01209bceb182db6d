import AstrolabePlatform

/// The names of a run's files, and how its directory is created and removed.
///
///     <journal>/<run id>/run           lock, header, definitions, counts
///     <journal>/<run id>/segment-<n>   records
///
/// A run's directory is created under a name that recovery ignores, locked, and then renamed. Before removal it is
/// renamed again. So no other process ever reads an incomplete run.
struct RunDirectory {
    let journal: String
    let run: RunID

    private static let making = ".new-"
    private static let removing = ".done-"
    private static let segment = "segment-"
    /// Longer files were not written by this library, and are read only up to this size.
    static let maximumFileSize = 16_777_216
    /// Bytes for definitions that a new run takes from the disk.
    private static let initialRoom = 1_024

    var path: String { journal + "/" + run.description }

    func segmentPath(slot: Int) -> String { path + "/" + Self.segment + String(slot) }

    /// Creates the directory with the run's file, and holds its lock.
    func make(started: UInt64, header: [UInt8], definitionBytes: Int) throws(SystemError) -> RunFile {
        try PrivateFiles.makeDirectory(journal)
        let unfinished = journal + "/" + Self.making + run.description
        try PrivateFiles.makeDirectory(unfinished)
        do throws(SystemError) {
            let file = try PrivateFile(unfinished + "/run")
            guard file.tryLock() else { throw SystemError("lock", file.path) }
            let size = RunFile.size(header: header.count, room: definitionBytes)
            let allocated = min(RunFile.size(header: header.count, room: Self.initialRoom), size)
            let runFile = try RunFile(file, size: size, allocated: allocated, run: run)
            runFile.initialize(run: run, started: started, header: header)
            try PrivateFiles.move(unfinished, to: path)
            return runFile
        } catch {
            PrivateFiles.removeDirectory(unfinished)
            throw error
        }
    }

    /// Opens the file of a previous run and takes its lock; `nil` if another process holds it or has just removed the
    /// run.
    func open() throws(SystemError) -> RunFile? {
        let file = try PrivateFile(path + "/run")
        guard file.tryLock(), file.isLinked else { return nil }
        return try RunFile(file, size: min(max(file.size, RunFile.minimumSize), Self.maximumFileSize), run: run)
    }

    /// The slots that have a segment file.
    var slots: [Int] {
        PrivateFiles.names(in: path).compactMap { name in
            name.hasPrefix(Self.segment) ? Int(name.dropFirst(Self.segment.count)) : nil
        }.filter { 0..<256 ~= $0 }.ordered(by: <)
    }

    /// True if a segment has records, or cannot be read.
    var hasRecords: Bool {
        slots.contains { slot in
            let header = (try? PrivateFile(existing: segmentPath(slot: slot)))?.read(SegmentHeader.size) ?? []
            return header.count < SegmentHeader.size || Region.Fill(in: header).claims > 0
        }
    }

    func remove() {
        let removed = journal + "/" + Self.removing + run.description
        // A run that stays is removed by a later start, and is counted once by its mark in the queue.
        try? PrivateFiles.move(path, to: removed)
        PrivateFiles.removeDirectory(removed)
    }

    /// Removes the remains of runs whose removal a kill interrupted, and of those whose creation a kill interrupted a
    /// day or more ago.
    static func removeLeftovers(in journal: String, now seconds: Int) {
        for name in PrivateFiles.names(in: journal) {
            let path = journal + "/" + name
            if name.hasPrefix(removing) || name.hasPrefix(making) && isAbandoned(path, now: seconds) {
                PrivateFiles.removeDirectory(path)
            }
        }
    }

    /// True if no process creates the run any more. A clock that was set says nothing about a process that lives, whose
    /// lock does.
    private static func isAbandoned(_ path: String, now seconds: Int) -> Bool {
        let age = seconds - (PrivateFiles.modified(path) ?? seconds)
        guard age.magnitude > 86_400 else { return false }
        do throws(SystemError) {
            return try PrivateFile(existing: path + "/run").tryLock()
        } catch {
            // A file that cannot be opened now may be in use.
            return error.isMissingFile
        }
    }

    /// All runs in the journal's directory.
    static func all(in journal: String) -> [RunDirectory] {
        PrivateFiles.names(in: journal).compactMap(RunID.init).map { RunDirectory(journal: journal, run: $0) }
    }
}
