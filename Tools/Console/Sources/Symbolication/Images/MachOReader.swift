/// Reads the load commands of a 64-bit Mach-O file, and the list of images in a universal file.
///
/// The formats are described in Apple's `mach-o/loader.h` and `mach-o/fat.h`. The files in a dSYM bundle's `DWARF`
/// folder are Mach-O files too.
struct MachOReader {
    static let magic: UInt32 = 0xfeed_facf
    /// The magic numbers as read on a little-endian machine. The list of images is big-endian.
    static let universalMagic: UInt32 = 0xbeba_feca
    static let wideUniversalMagic: UInt32 = 0xbfba_feca

    private static let headerSize = 32
    private static let commandLimit: UInt32 = 1 << 20

    let source: ByteSource
    let range: Range<UInt64>

    func facts() throws -> ImageFacts {
        let header = try source.bytes(at: range.lowerBound, count: Self.headerSize, of: "the Mach-O header")
        guard try header.uint32(at: 0) == Self.magic else {
            throw ImageFault.unsupported("it contains an image that is not 64-bit Mach-O")
        }
        let size = try header.uint32(at: 20)
        guard size <= Self.commandLimit else { throw ImageFault.damaged("its load commands have \(size) bytes") }
        let start = range.lowerBound + UInt64(Self.headerSize)
        let commands = try source.bytes(at: start, count: Int(size), of: "the load commands")
        var facts = ImageFacts(
            buildID: nil, format: .machO, architecture: Self.architecture(try header.uint32(at: 4)), baseAddress: 0,
            endAddress: 0, hasLines: false, hasFunctions: false, range: range,
        )
        var position = 0
        for _ in 0..<(try header.uint32(at: 16)) {
            let commandSize = Int(try commands.uint32(at: position + 4))
            guard commandSize >= 8 else { throw ImageFault.damaged("a load command has \(commandSize) bytes") }
            try take(commands, at: position, into: &facts)
            position += commandSize
        }
        return facts
    }

    private func take(_ commands: LittleEndianBytes, at position: Int, into facts: inout ImageFacts) throws {
        switch try commands.uint32(at: position) {
        case 0x1b: facts.buildID = BuildID(bytes: try commands.slice(at: position + 8, count: 16))
        case 0x02: facts.hasFunctions = try commands.uint32(at: position + 12) > 0
        case 0x19:
            let name = try commands.slice(at: position + 8, count: 16).prefix { $0 != 0 }
            if name.elementsEqual("__TEXT".utf8) { facts.baseAddress = try commands.uint64(at: position + 24) }
            if name.elementsEqual("__DWARF".utf8) {
                facts.hasLines = true
            } else {
                let end = try commands.uint64(at: position + 24) &+ commands.uint64(at: position + 32)
                facts.endAddress = max(facts.endAddress, end)
            }
        default: break
        }
    }

    static func universal(_ source: ByteSource, isWide: Bool) throws -> [ImageFacts] {
        let head = try source.bytes(at: 0, count: 8, of: "the universal header")
        let count = try head.uint32(at: 4).byteSwapped
        guard count <= ImageFacts.imageLimit else { throw ImageFault.damaged("it lists \(count) images") }
        let entrySize = isWide ? 32 : 20
        let table = try source.bytes(at: 8, count: Int(count) * entrySize, of: "the list of images")
        return try (0..<Int(count)).map { index in
            let entry = index * entrySize
            let offset: UInt64
            let size: UInt64
            if isWide {
                offset = try table.uint64(at: entry + 8).byteSwapped
                size = try table.uint64(at: entry + 16).byteSwapped
            } else {
                offset = UInt64(try table.uint32(at: entry + 8).byteSwapped)
                size = UInt64(try table.uint32(at: entry + 12).byteSwapped)
            }
            let (end, isOver) = offset.addingReportingOverflow(size)
            guard !isOver, end <= source.count else { throw ImageFault.damaged("image \(index) is outside the file") }
            return try MachOReader(source: source, range: offset..<end).facts()
        }
    }

    private static func architecture(_ type: UInt32) -> String {
        switch type {
        case 0x0100_0007: "x86_64"
        case 0x0100_000c: "arm64"
        default: "processor \(type)"
        }
    }
}
