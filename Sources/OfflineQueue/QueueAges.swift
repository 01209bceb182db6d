import AstrolabePlatform
import CAstrolabeChecksum

/// The time for which records have certainly waited, by the monotonic clock alone.
///
/// No wall clock is read, so one that is set, or wrong at a start, makes no record older. Within a boot the monotonic
/// clock says what has passed, in whichever process. Of the time between two boots only the time since the later one is
/// certain, and nothing else counts.
struct QueueAges: Equatable {
    /// Records that arrived about the same time.
    struct Arrival: Equatable {
        /// The age of the queue when the first of them arrived.
        var age: UInt64
        /// The last id that arrived before them.
        var lastBefore: Int64
    }

    /// A reading of the monotonic clock.
    struct Reading: Equatable {
        var steady: UInt64
        /// The boot that `steady` counts from, or a name that only readings of one process have.
        var boot: String
        var isBootKnown: Bool

        /// - Parameter process: A name for the readings of this process, if the boot is not known.
        init(_ clock: QueueClock, process: String) {
            steady = clock.steady()
            let boot = clock.boot()
            isBootKnown = !boot.isEmpty
            self.boot = isBootKnown ? boot : process
        }

        fileprivate init(steady: UInt64, boot: String, isBootKnown: Bool) {
            (self.steady, self.boot, self.isBootKnown) = (steady, boot, isBootKnown)
        }

        /// The nanoseconds that have passed for certain since an earlier reading.
        func certain(since earlier: Reading) -> UInt64 {
            if boot == earlier.boot { return steady >= earlier.steady ? steady - earlier.steady : 0 }
            return isBootKnown && earlier.isBootKnown ? steady : 0
        }
    }

    /// Nanoseconds for which the queue has existed for certain.
    private(set) var age: UInt64 = 0
    private(set) var reading: Reading
    /// Oldest first. Earlier records than those of the first are not in the queue.
    private(set) var arrivals: [Arrival] = []

    /// - Parameter hasRecords: Whether the queue has records, whose age begins now.
    init(at reading: Reading, hasRecords: Bool) {
        self.reading = reading
        if hasRecords { arrivals = [Arrival(age: 0, lastBefore: .min)] }
    }

    mutating func advance(to next: Reading) {
        age &+= next.certain(since: reading)
        reading = next
    }

    /// True if records that arrive now are not counted among the last ones.
    func isApart(_ interval: UInt64) -> Bool { arrivals.last.map { age &- $0.age >= interval } ?? true }

    mutating func addArrival(after id: Int64) { arrivals.append(Arrival(age: age, lastBefore: id)) }

    /// Returns the last id of the records that have waited longer; `nil` if none has.
    func lastExpired(_ maximumAge: UInt64) -> Int64? {
        let count = expired(maximumAge)
        if count == 0 { return nil }
        return count < arrivals.count ? arrivals[count].lastBefore : .max
    }

    mutating func forgetExpired(_ maximumAge: UInt64) { arrivals.removeFirst(expired(maximumAge)) }

    private func expired(_ maximumAge: UInt64) -> Int { arrivals.prefix(while: { age &- $0.age > maximumAge }).count }
}

extension QueueAges {
    /// CRC-32C of the rest, age, steady, whether the boot is known, the number of arrivals, and their ages and ids, as
    /// u64 each, little-endian; then the boot.
    var bytes: [UInt8] {
        var words = [age, reading.steady, reading.isBootKnown ? 1 : 0, UInt64(arrivals.count)]
        for arrival in arrivals { words += [arrival.age, UInt64(bitPattern: arrival.lastBefore)] }
        let rest = words.littleEndianBytes + Array(reading.boot.utf8)
        return [Self.checksum(rest)].littleEndianBytes + rest
    }

    /// `nil` if the bytes are damaged.
    init?(_ bytes: [UInt8]) {
        let words = [UInt64](littleEndian: bytes)
        guard words.count >= 5, words[0] == Self.checksum(Array(bytes[8...])) else { return nil }
        let count = Int(clamping: words[4])
        guard count <= (words.count - 5) / 2 else { return nil }
        age = words[1]
        reading = Reading(
            steady: words[2], boot: String(decoding: bytes[(40 + 16 * count)...], as: UTF8.self),
            isBootKnown: words[3] == 1)
        arrivals = (0..<count).map { index in
            Arrival(age: words[5 + 2 * index], lastBefore: Int64(bitPattern: words[6 + 2 * index]))
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        UInt64(bytes.withUnsafeBytes { astrolabe_crc32c(0, $0.baseAddress, $0.count) })
    }
}
