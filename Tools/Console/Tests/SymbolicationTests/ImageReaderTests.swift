import Foundation
import Testing

@testable import Symbolication

@Suite(.timeLimit(.minutes(5))) struct ImageReaderTests {
    /// Creates a Mach-O file like that of a dSYM: with a UUID, a `__TEXT` segment at 4 GiB, symbols and DWARF.
    private static func machO() -> [UInt8] {
        func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        func wide(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        func segment(_ name: String, at address: UInt64) -> [UInt8] {
            var bytes = word(0x19) + word(72) + Array(name.utf8) + Array(repeating: 0, count: 16 - name.utf8.count)
            bytes += wide(address) + wide(1 << 20)
            return bytes + Array(repeating: 0, count: 72 - bytes.count)
        }
        let uuid = word(0x1b) + word(24) + (1...16).map { UInt8($0) }
        let symbols = word(0x02) + word(24) + word(0) + word(7) + word(0) + word(0)
        let commands = uuid + symbols + segment("__TEXT", at: 1 << 32) + segment("__DWARF", at: 2 << 32)
        return word(MachOReader.magic) + word(0x0100_000c) + word(0) + word(10) + word(4)
            + word(UInt32(commands.count)) + word(0) + word(0) + commands
    }

    @Test func `the UUID, base and contents of a Mach-O are read from a thin and a universal file`() throws {
        let image = Self.machO()
        let alone = try #require(try ImageFacts.read(ByteSource(image)).first)
        #expect(alone.buildID?.hex == "0102030405060708090a0b0c0d0e0f10")
        #expect(alone.baseAddress == 1 << 32)
        #expect(alone.endAddress == (1 << 32) + (1 << 20))
        #expect(alone.architecture == "arm64")
        #expect(alone.hasLines && alone.hasFunctions)

        func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        let header = big(0xcafe_babe) + big(1) + big(0x0100_000c) + big(0) + big(64) + big(UInt32(image.count)) + big(0)
        let universal = header + Array(repeating: 0, count: 64 - header.count) + image
        let inside = try #require(try ImageFacts.read(ByteSource(universal)).first)
        #expect(inside.buildID == alone.buildID)
        #expect(inside.range == 64..<UInt64(universal.count))
    }

    @Test func `damaged files are rejected or read, and never crash the reader`() throws {
        let program = try BuiltProgram(.release)
        defer { program.remove() }
        var samples = [Self.machO()]
        // Damages the header and the tables of a real program. The reader does not read the code between them.
        samples.append(Array(try Data(contentsOf: program.file)))
        var random = SplitMix(state: 46)
        var refused = 0
        var accepted = 0
        for sample in samples {
            let structure = Self.interestingOffsets(sample)
            for round in 0..<1_000 {
                var bytes = sample
                if round % 4 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
                for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                    let offset = structure.randomElement(using: &random) ?? 0
                    guard offset < bytes.count else { continue }
                    bytes[offset] =
                        [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
                do {
                    for facts in try ImageFacts.read(ByteSource(bytes)) {
                        #expect(facts.range.upperBound <= UInt64(bytes.count))
                    }
                    accepted += 1
                } catch is ImageFault {
                    refused += 1
                }
            }
        }
        #expect(refused > 125)
        #expect(accepted > 25)
    }

    /// The ranges of the header, the section tables and the notes, in which every byte has a meaning.
    private static func interestingOffsets(_ bytes: [UInt8]) -> [Int] {
        var offsets = Array(0..<min(bytes.count, 1_024))
        if bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) {
            let table = bytes[40..<48].reversed().reduce(0) { $0 << 8 | Int($1) }
            offsets += Array(table..<bytes.count)
        }
        return offsets
    }
}

/// Random numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
