import Foundation

/// The bytes of a segment, in memory or mapped from a file. They never change.
///
/// This is the only file of the module with unsafe pointers. A `Vector` cannot be made outside the image, and each read
/// stays inside the vector. The engine's loops over rows rely on the check of codes and rows when a segment is opened.
package final class SegmentImage: @unchecked Sendable {  // the bytes are written before the object exists
    private let base: UnsafeRawPointer
    package let count: Int
    private let isMapped: Bool

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        isMapped = false
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(8, bytes.count), alignment: 8)
        bytes.withUnsafeBytes {
            if let source = $0.baseAddress { memory.copyMemory(from: source, byteCount: $0.count) }
        }
        base = UnsafeRawPointer(memory)
    }

    /// Maps a file. It may be deleted while it is mapped, and must not be changed.
    package init(mapping path: String) throws(SegmentError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, error: errno) }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else { throw .damaged("the file is empty") }
        let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw .unreadable(path: path, error: errno) }
        base = UnsafeRawPointer(memory)
        count = size
        isMapped = true
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: base), count)
        } else {
            base.deallocate()
        }
    }

    /// A part of the image with `count` unsigned numbers of `width` bytes.
    package struct Vector: Sendable {
        fileprivate let offset: Int
        package let width: Int
        package let count: Int
    }

    /// Returns the part at `offset`, or `nil` if it is not inside the image or not aligned.
    package func vector(at offset: UInt64, width: Int, count: Int) -> Vector? {
        guard [1, 2, 4, 8].contains(width), count >= 0, offset <= UInt64(self.count), offset % 8 == 0,
            count <= (self.count - Int(offset)) / width
        else { return nil }
        return Vector(offset: Int(offset), width: width, count: count)
    }

    /// Calls `body` with the numbers of a vector, at their width.
    @inline(__always)
    private func withElements<Element: FixedWidthInteger, Result>(
        _ vector: Vector, as type: Element.Type, _ body: (UnsafeBufferPointer<Element>) -> Result,
    ) -> Result {
        let start = (base + vector.offset).assumingMemoryBound(to: Element.self)
        return body(UnsafeBufferPointer(start: start, count: vector.count))
    }

    @inline(__always)
    private func array<Result: FixedWidthInteger>(_ vector: Vector, _ convert: (UInt64) -> Result) -> [Result] {
        func fill<Element: FixedWidthInteger & UnsignedInteger>(_ type: Element.Type) -> [Result] {
            withElements(vector, as: type) { elements in
                [Result](unsafeUninitializedCapacity: elements.count) { buffer, initialized in
                    for index in 0..<elements.count {
                        buffer.initializeElement(at: index, to: convert(UInt64(elements[index])))
                    }
                    initialized = elements.count
                }
            }
        }
        return switch vector.width {
        case 1: fill(UInt8.self)
        case 2: fill(UInt16.self)
        case 4: fill(UInt32.self)
        default: fill(UInt64.self)
        }
    }

    /// Returns the numbers of a vector of at most four bytes.
    package func codes(_ vector: Vector) -> [UInt32] { array(vector) { UInt32(truncatingIfNeeded: $0) } }

    /// Returns `base` plus the numbers of a vector.
    package func integers(_ vector: Vector, base: Int64) -> [Int64] {
        array(vector) { base &+ Int64(truncatingIfNeeded: $0) }
    }

    /// Returns `base` plus the numbers of a vector, as doubles.
    package func numbers(_ vector: Vector, base: Int64) -> [Double] {
        func fill<Element: FixedWidthInteger & UnsignedInteger>(_ type: Element.Type) -> [Double] {
            withElements(vector, as: type) { elements in
                [Double](unsafeUninitializedCapacity: elements.count) { buffer, initialized in
                    for index in 0..<elements.count {
                        buffer.initializeElement(
                            at: index, to: Double(base &+ Int64(truncatingIfNeeded: elements[index])))
                    }
                    initialized = elements.count
                }
            }
        }
        return switch vector.width {
        case 1: fill(UInt8.self)
        case 2: fill(UInt16.self)
        case 4: fill(UInt32.self)
        default: fill(UInt64.self)
        }
    }

    /// Returns the numbers of a vector of eight bytes as the doubles with these bits.
    package func doubles(_ vector: Vector) -> [Double] {
        guard vector.width == 8 else { return [] }
        return withElements(vector, as: UInt64.self) { elements in
            [Double](unsafeUninitializedCapacity: elements.count) { buffer, initialized in
                for index in 0..<elements.count {
                    buffer.initializeElement(at: index, to: Double(bitPattern: elements[index]))
                }
                initialized = elements.count
            }
        }
    }

    /// Returns the largest number of a vector, or 0 if it has none.
    package func maximum(_ vector: Vector) -> UInt64 {
        func find<Element: FixedWidthInteger & UnsignedInteger>(_ type: Element.Type) -> UInt64 {
            withElements(vector, as: type) { elements in
                var largest: Element = 0
                for element in elements { largest = Swift.max(largest, element) }
                return UInt64(largest)
            }
        }
        return switch vector.width {
        case 1: find(UInt8.self)
        case 2: find(UInt16.self)
        case 4: find(UInt32.self)
        default: find(UInt64.self)
        }
    }

    /// Counts the elements of a vector by code and side.
    ///
    /// - Parameters:
    ///   - codeCount: More than the largest code.
    ///   - sides: A number from 0 to 3 for each element of the vector.
    /// - Returns: Four counts for each code.
    package func counts(of vector: Vector, codes codeCount: Int, sides: [UInt8]) -> [UInt32] {
        func count<Element: FixedWidthInteger & UnsignedInteger>(_ type: Element.Type, laneBits: Int) -> [UInt32] {
            // Rows that follow one another often have the same code. Each waits for the count of the one before,
            // unless they have lanes of their own.
            let lanes = 1 << laneBits
            var counts = ContiguousArray<UInt32>(repeating: 0, count: 4 * lanes * codeCount)
            let sidesArray = sides.contiguous
            withElements(vector, as: type) { elements in
                var counts = counts.mutableSpan
                let sides = sidesArray.span
                for index in 0..<Swift.min(elements.count, sides.count) {
                    let lane = Int(truncatingIfNeeded: elements[index]) &<< laneBits | index & (lanes &- 1)
                    counts[unchecked: lane &<< 2 | Int(sides[unchecked: index])] &+= 1
                }
            }
            if lanes == 1 { return Array(counts) }
            return (0..<(4 * codeCount)).map { place in
                let first = place / 4 * 4 * lanes + place % 4
                return (0..<lanes).reduce(0) { $0 + counts[first + 4 * $1] }
            }
        }
        return switch vector.width {
        case 1: count(UInt8.self, laneBits: 2)
        case 2: count(UInt16.self, laneBits: 0)
        default: count(UInt32.self, laneBits: 0)
        }
    }

    /// Gives the memory of a mapped file back. The next read takes it from the system's cache of files again.
    package func release() {
        if isMapped { madvise(UnsafeMutableRawPointer(mutating: base), count, MADV_DONTNEED) }
    }

    /// Returns one number of a vector, or 0 behind its end.
    package func number(_ vector: Vector, at index: Int) -> UInt64 {
        guard index >= 0, index < vector.count else { return 0 }
        return switch vector.width {
        case 1: withElements(vector, as: UInt8.self) { UInt64($0[index]) }
        case 2: withElements(vector, as: UInt16.self) { UInt64($0[index]) }
        case 4: withElements(vector, as: UInt32.self) { UInt64($0[index]) }
        default: withElements(vector, as: UInt64.self) { $0[index] }
        }
    }

    /// Returns the text in a part of a vector of bytes; damaged UTF-8 is repaired.
    package func text(_ vector: Vector, _ range: Range<Int>) -> String {
        guard vector.width == 1, range.lowerBound >= 0, range.upperBound <= vector.count else { return "" }
        return withElements(vector, as: UInt8.self) { String(decoding: $0[range], as: UTF8.self) }
    }

    /// Returns a number of the header or directory, or `nil` behind the end.
    package func load<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        return Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Returns a checksum of the bytes from `offset` to the end.
    package func checksum(from offset: Int) -> UInt64 {
        Self.checksum(UnsafeRawBufferPointer(start: base, count: count), from: offset)
    }

    static func checksum(_ bytes: [UInt8], from offset: Int) -> UInt64 {
        bytes.withUnsafeBytes { checksum($0, from: offset) }
    }

    /// Four independent lanes of multiply and rotate, so that it is about as fast as memory.
    private static func checksum(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        guard offset >= 0, offset <= bytes.count else { return 0 }
        let prime: UInt64 = 0x9E37_79B1_85EB_CA87
        var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        @inline(__always)
        func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
            let product = (lane ^ word) &* prime
            return product << 31 | product >> 33
        }
        var position = offset
        while position + 32 <= bytes.count {
            first = mix(first, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            second = mix(second, bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self))
            third = mix(third, bytes.loadUnaligned(fromByteOffset: position + 16, as: UInt64.self))
            fourth = mix(fourth, bytes.loadUnaligned(fromByteOffset: position + 24, as: UInt64.self))
            position += 32
        }
        while position < bytes.count {
            first = mix(first, UInt64(bytes[position]))
            position += 1
        }
        var result = UInt64(bytes.count - offset)
        for lane in [first, second, third, fourth] {
            result = mix(result, lane)
            result ^= result >> 29
        }
        return result
    }

    /// Writes the bytes to a new file that appears whole or not at all.
    package func write(to path: String) throws(SegmentError) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, error: errno) }
        var written = 0
        while written < count {
            let result = Foundation.write(descriptor, base + written, count - written)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else {
                let error = errno
                close(descriptor)
                unlink(temporary)
                throw .unwritable(path: path, error: error)
            }
            written += result
        }
        // A file without its bytes after a power failure is damaged, and rebuilt.
        close(descriptor)
        guard rename(temporary, path) == 0 else {
            let error = errno
            unlink(temporary)
            throw .unwritable(path: path, error: error)
        }
    }
}

/// Why a segment cannot be used.
package enum SegmentError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, error: Int32)
    case unwritable(path: String, error: Int32)
    /// The file has an older or a newer format. It must be rebuilt.
    case otherFormat(version: UInt32)
    case damaged(String)

    package var description: String {
        switch self {
        case .unreadable(let path, let error): "Cannot read the segment \(path): \(String(cString: strerror(error)))."
        case .unwritable(let path, let error): "Cannot write the segment \(path): \(String(cString: strerror(error)))."
        case .otherFormat(let version):
            "The segment has format \(version), expected \(Segment.formatVersion)."
        case .damaged(let problem): "The segment is damaged: \(problem)."
        }
    }
}
