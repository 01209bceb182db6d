import AstrolabePlatform

/// The recovery of previous runs.
struct JournalRecovery {
    private(set) var runs: [RunReader] = []
    private(set) var notes = Notes()
    /// The runs that were looked at.
    private(set) var seen: [RunID] = []
    /// True if no other runs are left.
    private(set) var isComplete = true

    /// The counts of a recovery.
    struct Notes: Equatable {
        var records = 0
        var torn = 0
        var runsInUse = 0
        var newerRuns = 0
        var damagedRuns = 0

        static func += (left: inout Notes, right: Notes) {
            left.records += right.records
            left.torn += right.torn
            left.runsInUse += right.runsInUse
            left.newerRuns += right.newerRuns
            left.damagedRuns += right.damagedRuns
        }
    }

    /// Recovers at most `limit` runs, the least recently changed first.
    init(_ directory: String, except known: [RunID], limit: Int) {
        var places = RunDirectory.all(in: directory).filter { !known.contains($0.run) }
        if places.count > limit {
            let ages = places.map { (place: $0, changed: PrivateFiles.modified($0.path) ?? 0) }
            places = ages.ordered { $0.changed < $1.changed }.map(\.place)
        }
        for place in places {
            guard runs.count < limit else {
                isComplete = false
                break
            }
            seen.append(place.run)
            recover(place)
        }
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
        let found: [(reader: SegmentReader, records: [RegionScan.Record])]
        do {
            found = try segments(of: place, file: file)
        } catch {
            // There is no memory or no descriptor for one of them now. The next launch recovers the run.
            notes.damagedRuns += 1
            return
        }
        for segment in found { reader.add(segment.reader, records: segment.records) }
        reader.countMissing()
        notes.records += reader.pendingCount
        notes.torn += reader.counts.torn
        runs.append(reader)
    }

    /// The run's segments, oldest first; removes files without records.
    private func segments(
        of place: RunDirectory, file: RunFile,
    ) throws(SystemError) -> [(reader: SegmentReader, records: [RegionScan.Record])] {
        var segments: [(reader: SegmentReader, records: [RegionScan.Record])] = []
        for slot in place.slots {
            let path = place.segmentPath(slot: slot)
            guard let (whole, memory, segmentFile) = try map(path, run: place.run) else { continue }
            var region = whole
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
            region = trim(segmentFile, region, usedTo: scan.end)
            let reader = SegmentReader(scanned: scan.counts, of: region, slot: slot, number: number, memory: memory)
            segments.append((reader, scan.records))
        }
        return segments.ordered { $0.reader.number < $1.reader.number }
    }

    /// Returns the disk space that a run prepared and did not use. Producers of the run no longer exist.
    ///
    /// The claims still end before the end of the region, as in a segment that is not full.
    private func trim(_ file: PrivateFile, _ region: Region, usedTo end: Int) -> Region {
        let size = (end + 8 + 4_095) & ~4_095
        guard let fill = region.fill, fill.end <= end, size < region.end, file.truncate(to: size) else {
            return region
        }
        return Region(base: region.base, start: region.start, end: size, salt: region.salt)
    }

    /// Maps a segment's file; returns `nil` if it is none, and removes it if it is too short for one.
    ///
    /// - Throws: An error if that may succeed later.
    private func map(_ path: String, run: RunID) throws(SystemError) -> (Region, MappedMemory, PrivateFile)? {
        do throws(SystemError) {
            let file = try PrivateFile(path)
            let size = min(file.size, RunDirectory.maximumFileSize) & ~7
            guard size >= SegmentHeader.size else {
                PrivateFiles.removeFile(path)
                return nil
            }
            let memory = try MappedMemory(file, size: size)
            return (Region(base: memory.base, start: SegmentHeader.size, end: size, salt: run.salt), memory, file)
        } catch {
            if error.isShortOfResources { throw error }
            return nil
        }
    }
}
