import AstrolabePlatform

/// The recovery of previous runs.
struct JournalRecovery {
    private(set) var runs: [RunReader] = []
    private(set) var notes = Notes()

    /// The counts of a recovery.
    struct Notes: Hashable {
        var records = 0
        var torn = 0
        var runsInUse = 0
        var newerRuns = 0
        var damagedRuns = 0
    }

    init(_ directory: String, except current: RunID) {
        for place in RunDirectory.all(in: directory) where place.run != current { recover(place) }
        runs.sort { ($0.run.started, $0.run.id.high) < ($1.run.started, $1.run.id.high) }
    }

    private mutating func recover(_ place: RunDirectory) {
        let opened: RunFile?
        do {
            opened = try place.open()
        } catch {
            // Another process may have removed it in the meantime.
            if PrivateFiles.isDirectory(place.path) { notes.damagedRuns += 1 }
            return
        }
        guard let file = opened else {
            notes.runsInUse += 1
            return
        }
        var started: UInt64 = 0
        switch file.readHeader() {
        case .readable(let time): started = time
        case .newer:
            notes.newerRuns += 1
            return
        case .unreadable: notes.damagedRuns += 1
        }
        let (header, definitions) = file.readDefinitions()
        let run = JournalRun(
            id: place.run, started: started, header: header, isRecovered: true, definitions: definitions,
        )
        var reader = RunReader(run, file: file, directory: place)
        for segment in segments(of: place, file: file) { reader.add(segment.reader, records: segment.records) }
        notes.records += reader.pendingCount
        notes.torn += reader.counts.torn
        runs.append(reader)
    }

    /// The run's segments, oldest first; removes files without records.
    private func segments(
        of place: RunDirectory, file: RunFile,
    ) -> [(reader: SegmentReader, records: [RegionScan.Record])] {
        var segments: [(reader: SegmentReader, records: [RegionScan.Record])] = []
        for slot in place.slots {
            let path = place.segmentPath(slot: slot)
            guard let (region, memory) = map(path, run: place.run) else { continue }
            let header = SegmentHeader.read(region)
            if header == .free {
                PrivateFiles.removeFile(path)
                continue
            }
            let scan = RegionScan(region)
            let number =
                if case .numbered(let number) = header {
                    number
                } else {
                    scan.records.first.map { UInt32(truncatingIfNeeded: region.sequence(at: $0.offset) >> 32) } ?? 0
                }
            if scan.counts.claims == 0 || file.hasRetired(slot: slot, number: number) {
                PrivateFiles.removeFile(path)
                continue
            }
            let reader = SegmentReader(scanned: scan.counts, of: region, slot: slot, number: number, memory: memory)
            segments.append((reader, scan.records))
        }
        return segments.sorted { $0.reader.number < $1.reader.number }
    }

    private func map(_ path: String, run: RunID) -> (Region, MappedMemory)? {
        guard let file = try? PrivateFile(path) else { return nil }
        let size = min(file.size, RunDirectory.maximumFileSize) & ~7
        guard size >= SegmentHeader.size, let memory = try? MappedMemory(file, size: size) else {
            PrivateFiles.removeFile(path)
            return nil
        }
        return (Region(base: memory.base, start: SegmentHeader.size, end: size, salt: run.salt), memory)
    }
}
