/// Reads the header, sections and notes of a 64-bit little-endian ELF file.
///
/// Searches for notes in sections first. A file made by `objcopy --only-keep-debug` keeps its program headers, but not
/// their content. The formats are described in the System V gABI 4.1, chapters 4 and 5. The note is
/// `NT_GNU_BUILD_ID`.
struct ELFReader {
    static let magic: UInt32 = 0x464c_457f

    private static let headerSize = 64
    private static let programHeaderSize = 56
    private static let sectionHeaderSize = 64
    /// The maximum number of bytes of notes to read from one section. A build ID takes 36.
    private static let noteLimit: UInt64 = 64 << 10
    private static let nameTableLimit: UInt64 = 1 << 20
    private static let buildIDNote: UInt32 = 3

    let source: ByteSource

    private struct Section {
        let name: String
        let type: UInt32
        let offset: UInt64
        let size: UInt64
        let alignment: UInt64
    }

    private struct Segment {
        let type: UInt32
        let offset: UInt64
        let address: UInt64
        let fileSize: UInt64
        let memorySize: UInt64
        let alignment: UInt64
    }

    func facts() throws -> ImageFacts {
        let header = try source.bytes(at: 0, count: Self.headerSize, of: "the ELF header")
        guard try header.uint8(at: 4) == 2, try header.uint8(at: 5) == 1 else {
            throw ImageFault.unsupported("it is ELF, but not 64-bit little-endian")
        }
        let sections = try sections(header)
        let segments = try segments(header)
        return ImageFacts(
            buildID: try buildID(sections, segments),
            format: .elf,
            architecture: Self.architecture(try header.uint16(at: 18)),
            baseAddress: 0,
            endAddress: segments.filter { $0.type == 1 }.map { $0.address &+ $0.memorySize }.max() ?? .max,
            hasLines: sections.contains { $0.name == ".debug_line" || $0.name == ".zdebug_line" },
            hasFunctions: sections.contains { $0.type == 2 && $0.size > 0 },
            range: 0..<source.count,
        )
    }

    private func sections(_ header: LittleEndianBytes) throws -> [Section] {
        let offset = try header.uint64(at: 40)
        let size = Int(try header.uint16(at: 58))
        let count = Int(try header.uint16(at: 60))
        guard offset > 0, count > 0 else { return [] }
        guard size >= Self.sectionHeaderSize else { throw ImageFault.damaged("section headers have \(size) bytes") }
        let table = try source.bytes(at: offset, count: size * count, of: "the section headers")
        let nameIndex = Int(try header.uint16(at: 62))
        guard nameIndex < count else {
            throw ImageFault.damaged("the section with the names, \(nameIndex), does not exist")
        }
        let nameOffset = try table.uint64(at: nameIndex * size + 24)
        let nameSize = min(try table.uint64(at: nameIndex * size + 32), Self.nameTableLimit)
        let names = try source.bytes(at: nameOffset, count: Int(nameSize), of: "the section names")
        return try (0..<count).map { index in
            let start = index * size
            return Section(
                name: try names.text(at: Int(try table.uint32(at: start))),
                type: try table.uint32(at: start + 4),
                offset: try table.uint64(at: start + 24),
                size: try table.uint64(at: start + 32),
                alignment: try table.uint64(at: start + 48),
            )
        }
    }

    private func segments(_ header: LittleEndianBytes) throws -> [Segment] {
        let offset = try header.uint64(at: 32)
        let size = Int(try header.uint16(at: 54))
        let count = Int(try header.uint16(at: 56))
        guard offset > 0, count > 0 else { return [] }
        guard size >= Self.programHeaderSize else { throw ImageFault.damaged("program headers have \(size) bytes") }
        let table = try source.bytes(at: offset, count: size * count, of: "the program headers")
        return try (0..<count).map { index in
            let start = index * size
            return Segment(
                type: try table.uint32(at: start),
                offset: try table.uint64(at: start + 8),
                address: try table.uint64(at: start + 16),
                fileSize: try table.uint64(at: start + 32),
                memorySize: try table.uint64(at: start + 40),
                alignment: try table.uint64(at: start + 48),
            )
        }
    }

    private func buildID(_ sections: [Section], _ segments: [Segment]) throws -> BuildID? {
        for section in sections where section.type == 7 {
            if let id = try buildID(at: section.offset, size: section.size, alignment: section.alignment) { return id }
        }
        guard !sections.contains(where: { $0.type == 7 }) else { return nil }
        for segment in segments where segment.type == 4 {
            if let id = try buildID(at: segment.offset, size: segment.fileSize, alignment: segment.alignment) {
                return id
            }
        }
        return nil
    }

    private func buildID(at offset: UInt64, size: UInt64, alignment: UInt64) throws -> BuildID? {
        let notes = try source.bytes(at: offset, count: Int(min(size, Self.noteLimit)), of: "a note section")
        let unit = alignment == 8 ? 8 : 4
        var position = 0
        while position + 12 <= notes.bytes.count {
            let nameSize = Int(try notes.uint32(at: position))
            let contentSize = Int(try notes.uint32(at: position + 4))
            let type = try notes.uint32(at: position + 8)
            let content = (position + 12 + nameSize).rounded(upTo: unit)
            if type == Self.buildIDNote,
                try notes.slice(at: position + 12, count: nameSize).elementsEqual("GNU\0".utf8)
            {
                return BuildID(bytes: try notes.slice(at: content, count: contentSize))
            }
            position = (content + contentSize).rounded(upTo: unit)
        }
        return nil
    }

    private static func architecture(_ machine: UInt16) -> String {
        switch machine {
        case 62: "x86_64"
        case 183: "arm64"
        case 243: "riscv64"
        default: "machine \(machine)"
        }
    }
}

extension Int {
    fileprivate func rounded(upTo unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
