/// Up to 65,536 records of a dataset as columns. See `SegmentBuilder` for how one is made.
///
/// The file has a header, a directory of the columns, and their vectors at multiples of 8 bytes; all numbers are
/// little-endian. A segment is checked completely when it is opened: the checksum, every range, every code and every
/// row number. So nothing that is read later can be outside its bounds.
package struct Segment: Sendable {
    package static let formatVersion: UInt32 = 2
    package static let rowLimit = 65_536
    static let magic: UInt64 = 0x3147_4553_4C52_5441  // "ATRLSEG1"
    static let headerSize = 64

    package let image: SegmentImage
    package let rowCount: Int
    /// The sequence numbers of the store that the records come from.
    package let sequence: ClosedRange<Int64>
    package private(set) var minTime: Int64
    package private(set) var maxTime: Int64
    /// The time of records that ``minTime`` and ``maxTime`` are about.
    private(set) var clock = RecordClock.event
    /// Of everything that the segment contains.
    package let checksum: UInt64
    package let columns: [String: [Part]]
    /// The attributes that have no column, by service.
    package let omitted: [OmittedKeys]

    /// The values of one type in a column. A column of mixed types has several, and a row is in one of them at most.
    package struct Part: Sendable {
        package enum Values: Sendable {
            /// Codes of a dictionary; 0 is missing. Bools are codes too.
            case codes(SegmentImage.Vector, Dictionary)
            /// Differences to the minimum.
            case integers(SegmentImage.Vector, min: Int64, max: Int64)
            case doubles(SegmentImage.Vector)
        }

        package let values: Values
        /// The rows of the values, ascending; `nil` if every row has one.
        package let rows: SegmentImage.Vector?
    }

    /// Distinct values of a part; code 1 is the first.
    package struct Dictionary: Sendable {
        let offsets: SegmentImage.Vector?
        let bytes: SegmentImage.Vector?
        package let count: Int

        /// The codes of `false` and `true`.
        static let bools = Dictionary(offsets: nil, bytes: nil, count: 2)
    }

    /// Opens the file of a segment.
    package init(path: String) throws(SegmentError) {
        try self.init(try SegmentImage(mapping: path))
        // The check read all of it. A query reads a few columns.
        image.release()
    }

    package init(_ image: SegmentImage) throws(SegmentError) {
        guard image.load(UInt64.self, at: 0) == Self.magic, let version = image.load(UInt32.self, at: 8) else {
            throw .damaged("it does not begin as a segment does")
        }
        guard version == Self.formatVersion else { throw .otherFormat(version: version) }
        guard let rows = image.load(UInt32.self, at: 12), rows <= Self.rowLimit,
            let size = image.load(UInt64.self, at: 16), let checksum = image.load(UInt64.self, at: 24),
            let first = image.load(Int64.self, at: 32), let last = image.load(Int64.self, at: 40), first <= last,
            let columnCount = image.load(UInt32.self, at: 48), let directory = image.load(UInt64.self, at: 56)
        else { throw .damaged("the header is not valid") }
        guard size == UInt64(image.count) else {
            throw .damaged("it has \(image.count) bytes, expected \(size)")
        }
        guard image.checksum(from: 32) == checksum else { throw .damaged("the checksum does not match") }
        var reader = SegmentDirectoryReader(image: image, offset: directory, rowCount: Int(rows))
        columns = try reader.columns(count: columnCount)
        omitted = try reader.omitted()
        self.image = image
        self.checksum = checksum
        rowCount = Int(rows)
        sequence = first...last
        guard let time = columns["time"], time.count == 1, time[0].rows == nil,
            case .integers(_, let min, let max) = time[0].values
        else { throw .damaged("it has no times") }
        (minTime, maxTime) = (min, max)
    }

    /// Returns the segment with the times of another clock; `nil` if no record has one.
    func timed(by clock: RecordClock) -> Segment? {
        if clock == self.clock { return self }
        guard let part = columns[clock.column]?.first, case .integers(_, let min, let max) = part.values else {
            return nil
        }
        var timed = self
        timed.clock = clock
        // A record without the time is in no window.
        (timed.minTime, timed.maxTime) = (part.rows == nil ? min : .min, max)
        return timed
    }

    /// Writes the segment to a file.
    package func write(to path: String) throws(SegmentError) { try image.write(to: path) }

    /// Returns the values of a dictionary by code; the first is missing.
    package func values(of dictionary: Dictionary) -> [QueryValue] {
        guard let offsets = dictionary.offsets, let bytes = dictionary.bytes else {
            return [.missing, .bool(false), .bool(true)]
        }
        let ends = image.codes(offsets)
        var values: [QueryValue] = [.missing]
        values.reserveCapacity(dictionary.count + 1)
        for index in 0..<dictionary.count {
            values.append(.string(image.text(bytes, Int(ends[index])..<Int(ends[index + 1]))))
        }
        return values
    }
}

/// Reads and checks the directory of a segment.
private struct SegmentDirectoryReader {
    private let image: SegmentImage
    private let rowCount: Int
    private var position: Int

    init(image: SegmentImage, offset: UInt64, rowCount: Int) {
        self.image = image
        self.rowCount = rowCount
        position = Int(clamping: offset)
    }

    private mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) throws(SegmentError) -> Number {
        guard let number = image.load(type, at: position) else { throw .damaged("the directory has no end") }
        position += MemoryLayout<Number>.size
        return number
    }

    mutating func columns(count: UInt32) throws(SegmentError) -> [String: [Segment.Part]] {
        var columns: [String: [Segment.Part]] = [:]
        for _ in 0..<count {
            let name = try text()
            let parts = try next(UInt32.self)
            guard parts <= 4, columns[name] == nil else { throw .damaged("the column \(name) is not valid") }
            columns[name] = []
            for _ in 0..<parts { columns[name, default: []].append(try part(of: name)) }
        }
        return columns
    }

    private mutating func text() throws(SegmentError) -> String {
        let length = Int(try next(UInt32.self))
        guard let bytes = image.vector(at: 0, width: 1, count: image.count), position <= image.count,
            length <= image.count - position
        else { throw .damaged("a name is too long") }
        defer { position += length }
        return image.text(bytes, position..<(position + length))
    }

    /// Reads what follows the columns.
    mutating func omitted() throws(SegmentError) -> [OmittedKeys] {
        var omitted: [OmittedKeys] = []
        for _ in 0..<(try next(UInt32.self)) {
            let service = try text()
            let hasMore = try next(UInt32.self) != 0
            var keys: Set<String> = []
            for _ in 0..<(try next(UInt32.self)) { keys.insert(try text()) }
            omitted.append(OmittedKeys(service: service, keys: keys, hasMore: hasMore))
        }
        return omitted
    }

    private mutating func vector(_ name: String, width: Int, count: Int) throws(SegmentError) -> SegmentImage.Vector {
        guard let vector = image.vector(at: try next(UInt64.self), width: width, count: count) else {
            throw .damaged("a part of the column \(name) is not inside the file")
        }
        return vector
    }

    private mutating func part(of name: String) throws(SegmentError) -> Segment.Part {
        let kind = try next(UInt8.self)
        let width = Int(try next(UInt8.self))
        let isListed = try next(UInt16.self) != 0
        let count = Int(try next(UInt32.self))
        guard isListed ? count <= rowCount : count == rowCount else {
            throw .damaged("the column \(name) has \(count) values for \(rowCount) rows")
        }
        var rows: SegmentImage.Vector?
        if isListed {
            let list = try vector(name, width: 2, count: count)
            let numbers = image.codes(list)
            for index in numbers.indices {
                guard numbers[index] < rowCount, index == 0 || numbers[index - 1] < numbers[index] else {
                    throw .damaged("the rows of the column \(name) are not in order")
                }
            }
            rows = list
        }
        let values = try vector(name, width: width, count: count)
        switch kind {
        case SegmentBuilder.Kind.text.rawValue, SegmentBuilder.Kind.bool.rawValue:
            let dictionary = kind == SegmentBuilder.Kind.bool.rawValue ? .bools : try dictionary(of: name)
            guard width <= 4, image.maximum(values) <= UInt64(dictionary.count) else {
                throw .damaged("the column \(name) has a code that is not in its dictionary")
            }
            return Segment.Part(values: .codes(values, dictionary), rows: rows)
        case SegmentBuilder.Kind.integer.rawValue:
            let min = try next(Int64.self)
            let max = try next(Int64.self)
            guard min <= max, image.maximum(values) <= UInt64(bitPattern: max &- min) else {
                throw .damaged("the column \(name) has a number outside its bounds")
            }
            return Segment.Part(values: .integers(values, min: min, max: max), rows: rows)
        case SegmentBuilder.Kind.double.rawValue:
            guard width == 8 else { throw .damaged("the column \(name) has numbers of \(width) bytes") }
            return Segment.Part(values: .doubles(values), rows: rows)
        default: throw .damaged("the column \(name) has an unknown type")
        }
    }

    private mutating func dictionary(of name: String) throws(SegmentError) -> Segment.Dictionary {
        let count = Int(try next(UInt32.self))
        let size = Int(try next(UInt32.self))
        guard count <= rowCount else { throw .damaged("the dictionary of the column \(name) is too large") }
        let offsets = try vector(name, width: 4, count: count + 1)
        let bytes = try vector(name, width: 1, count: size)
        let ends = image.codes(offsets)
        guard ends[0] == 0, ends[count] <= size, zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw .damaged("the dictionary of the column \(name) is not in order")
        }
        return Segment.Dictionary(offsets: offsets, bytes: bytes, count: count)
    }
}
