import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// The file of a run that crashed, as a version of the SDK left it: bytes at the offsets of its `CrashLayout.h`.
struct RunFileFixture: Sendable, CustomTestStringConvertible {
    /// A part of the file: `count` elements of `size` bytes.
    struct Section: Sendable {
        var offset: Int
        var size: Int
        var count: Int
    }

    var testDescription: String
    var layout: UInt32
    /// Bytes of the C structure. The file has whole pages of 16 KiB.
    var size: Int
    var crash: Int
    /// By their numbers: see `ASTROLABE_SECTIONS`.
    var sections: [Int: Section]
    /// True if the file says where its sections are.
    var hasTable: Bool { layout >= 4 }

    static let (blobs, crumbNumber, crumbs, imageCount, images, registers) = (0, 1, 2, 3, 4, 5)
    static let (message, exception, spanBytes, spans, threads, samples) = (6, 7, 8, 9, 10, 11)

    /// Nanoseconds since 1970: when the process started, and when it crashed.
    static let start: UInt64 = 1_795_341_600_000_000_000
    static let crashTime: UInt64 = start + 90_000_000_000

    /// The layouts until now.
    static let earlier = [first, second, third, withSpans, withException]

    private static func with(
        _ name: String, layout: UInt32, size: Int, crash: Int, _ offsets: [Int: Int], blobs: Int = 2,
        images: Int = 2_048,
    ) -> RunFileFixture {
        let sizes = [32_780, 8, 1_040, 4, 272, 8, 1, 3_208, 4, 1, 1_096, 528]
        let counts = [blobs, 1, 100, 1, images, 36, 2_048, 1, 1, 65_536, 64, 32]
        let sections = offsets.map { ($0.key, Section(offset: $0.value, size: sizes[$0.key], count: counts[$0.key])) }
        return RunFileFixture(
            testDescription: name, layout: layout, size: size, crash: crash,
            sections: Dictionary(uniqueKeysWithValues: sections))
    }

    private static let first = with(
        "layout 1", layout: 1, size: 404_560, crash: 309_896,
        [
            blobs: 1_048, crumbNumber: 66_608, crumbs: 66_616, imageCount: 170_624, images: 170_632, registers: 309_992,
            message: 310_280, threads: 316_424, samples: 387_664,
        ], images: 512)

    private static let second = with(
        "layout 2", layout: 2, size: 822_352, crash: 727_688,
        [
            blobs: 1_048, crumbNumber: 66_608, crumbs: 66_616, imageCount: 170_624, images: 170_632, registers: 727_784,
            message: 728_072, threads: 734_216, samples: 805_456,
        ])

    private static let third = with(
        "layout 3", layout: 3, size: 822_360, crash: 727_696,
        [
            blobs: 1_056, crumbNumber: 66_616, crumbs: 66_624, imageCount: 170_632, images: 170_640, registers: 727_792,
            message: 728_080, threads: 734_224, samples: 805_464,
        ])

    private static let withSpans = with(
        "layout 3 with spans", layout: 3, size: 920_688, crash: 760_480,
        [
            blobs: 1_056, crumbNumber: 99_400, crumbs: 99_408, imageCount: 203_416, images: 203_424, registers: 760_576,
            message: 760_864, spanBytes: 767_008, spans: 767_012, threads: 832_552, samples: 903_792,
        ], blobs: 3)

    private static let withException = with(
        "layout 3 with exceptions", layout: 3, size: 923_896, crash: 760_480,
        [
            blobs: 1_056, crumbNumber: 99_400, crumbs: 99_408, imageCount: 203_416, images: 203_424, registers: 760_576,
            message: 760_864, exception: 767_008, spanBytes: 770_216, spans: 770_220, threads: 835_760,
            samples: 907_000,
        ], blobs: 3)

    /// A layout to come: other places, more images, and larger threads.
    static var later: RunFileFixture {
        var file = with(
            "a later layout", layout: 9, size: 1_500_000, crash: 1_360,
            [
                blobs: 4_096, crumbNumber: 103_000, crumbs: 103_008, imageCount: 207_100, images: 210_000,
                registers: 1_300_000, message: 1_301_000, exception: 1_304_000, spanBytes: 1_308_000, spans: 1_308_100,
                threads: 1_380_000, samples: 1_480_000,
            ], blobs: 4)
        file.sections[images] = Section(offset: 210_000, size: 280, count: 3_000)
        file.sections[threads] = Section(offset: 1_380_000, size: 1_200, count: 80)
        return file
    }

    /// Writes the file. Returns its bytes.
    @discardableResult
    func write(to path: String, words: [Int: UInt64] = [:]) throws -> [UInt8] {
        var file = Bytes(count: (size + 16_383) / 16_384 * 16_384)
        file.put(UInt64(0x316e_7572_726f_7461), at: 0)
        file.put(layout, at: 8)
        file.put(UInt32(size), at: 12)
        for (index, text) in ["run", "crash", "boot", "1.0", "7", "iOS", "18.1"].enumerated() {
            file.put(Array(text.utf8), at: 16 + 128 * index)
        }
        // Phase, lifecycle, process id, its start, and the last heartbeat.
        let own: [Int: UInt64] = [1: 1, 2: 1, 3: 4_711, 4: Self.start, 5: Self.crashTime - 500_000_000]
        for (word, value) in own.merging(words, uniquingKeysWith: { $1 }) { file.put(value, at: 912 + 8 * word) }
        if hasTable {
            for (number, section) in sections {
                file.put(UInt32(section.offset), at: 1_168 + 12 * number)
                file.put(UInt32(section.size), at: 1_168 + 12 * number + 4)
                file.put(UInt32(section.count), at: 1_168 + 12 * number + 8)
            }
        }
        writeCrash(into: &file)
        writeMoment(into: &file)
        writeSpan(into: &file)
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        return file.bytes
    }

    private func writeCrash(into file: inout Bytes) {
        file.put(UInt32(5), at: crash)
        file.put(UInt32(11), at: crash + 8)
        file.put(UInt32(1), at: crash + 12)
        file.put(UInt64(0x10), at: crash + 16)
        file.put(Self.crashTime, at: crash + 24)
        file.put([UInt64(0x11), 0x12, 0x13], at: crash + 32)
        file.put([UInt64(1), 1, 0x7000], at: crash + 56)
        // Threads, registers, bytes of the message, and the thread that crashed.
        file.put([UInt32(2), 3, 9, 77], at: crash + 80)
        // The program counter; the first three layouts have no place for it.
        if hasTable { file.put(UInt64(0x5_0010), at: crash + 96) }
        put(Self.message, into: &file) { $0.put(Array("Unlikely!".utf8), at: $1.offset) }
        put(Self.exception, into: &file) { file, section in
            file.put(Array("NSRangeException".utf8), at: section.offset)
            file.put(Array("out of bounds".utf8), at: section.offset + 128)
        }
        put(Self.threads, into: &file) { file, section in
            for (index, id) in [UInt32(77), 78].enumerated() {
                let thread = section.offset + index * section.size
                file.put([id, 3, 1, index == 0 ? 1 : 0], at: thread)
                file.put(UInt64(0x5_0010), at: thread + 72)
            }
        }
    }

    private func writeMoment(into file: inout Bytes) {
        put(Self.blobs, into: &file) { file, section in
            let ambient: Attributes = ["session.id": "the session"]
            let scopes: Attributes = ["7": AttributeValue.array([.string("shop"), .string("2.0")])]
            for (index, attributes) in [(0, ambient), (2, scopes)] where index < section.count {
                let bytes = AttributeBytes.encode(attributes, limit: 16_384)
                let blob = section.offset + index * section.size
                file.put([UInt32(0), UInt32(bytes.count)], at: blob)
                file.put(bytes, at: blob + 12)
            }
        }
        put(Self.crumbNumber, into: &file) { $0.put(UInt64(1), at: $1.offset) }
        put(Self.crumbs, into: &file) { file, section in
            file.put(UInt64(1), at: section.offset)
            file.put(UInt32(3), at: section.offset + 8)
            file.put(Array("tap".utf8), at: section.offset + 12)
        }
        put(Self.imageCount, into: &file) { $0.put(UInt32(1), at: $1.offset) }
        put(Self.images, into: &file) { file, section in
            file.put([UInt64(0x5_0000), 0x5_0000, 0x6_0000, 0x5_0000, 0x6_0000], at: section.offset)
            file.put([UInt8(0xAB), 0xCD], at: section.offset + 40)
            file.put([UInt8(2), 1], at: section.offset + 72)
            file.put(Array("/bin/shop".utf8), at: section.offset + 80)
        }
    }

    private func writeSpan(into file: inout Bytes) {
        var fields: [UInt8] = [0x0A, 16]
        fields += [UInt8](repeating: 0x11, count: 16)
        fields += [0x12, 8]
        fields += [UInt8](repeating: 0x22, count: 8)
        fields += [0x2A, 4]
        fields += Array("open".utf8)
        fields.append(0x39)
        for byte in 0..<8 { fields.append(UInt8(truncatingIfNeeded: Self.start >> UInt64(8 * byte))) }
        put(Self.spans, into: &file) { file, section in
            file.put([UInt32(7), UInt32(fields.count)], at: section.offset)
            file.put(fields, at: section.offset + 8)
        }
        put(Self.spanBytes, into: &file) { $0.put(UInt32(8 + fields.count), at: $1.offset) }
    }

    /// Calls `body` if the layout has the section.
    private func put(_ number: Int, into file: inout Bytes, _ body: (inout Bytes, Section) -> Void) {
        if let section = sections[number] { body(&file, section) }
    }

    private struct Bytes {
        private(set) var bytes: [UInt8]

        init(count: Int) {
            bytes = [UInt8](repeating: 0, count: count)
        }

        mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) { put([number], at: offset) }

        mutating func put<Number: FixedWidthInteger>(_ numbers: [Number], at offset: Int) {
            numbers.withUnsafeBytes { source in
                bytes.withUnsafeMutableBytes { $0[offset..<offset + source.count].copyBytes(from: source) }
            }
        }
    }
}
