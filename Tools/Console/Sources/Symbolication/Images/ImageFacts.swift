/// What an executable, a library or a file of debug information says of itself.
package struct ImageFacts: Sendable, Hashable, Codable {
    /// `nil` where the linker wrote none.
    package internal(set) var buildID: BuildID?
    package internal(set) var format: Format
    /// The processor as its format names it: "x86_64", "arm64", or a number.
    package internal(set) var architecture: String
    /// What to add to an offset to get the linker's address: offsets in a Mach-O count from its header, those in ELF
    /// from address 0.
    package internal(set) var baseAddress: UInt64
    /// The linker's address of what follows the image's last byte: past it the tools name whatever symbol comes last.
    package internal(set) var endAddress: UInt64
    /// DWARF: from it come files, lines and inlined functions.
    package internal(set) var hasLines: Bool
    /// A table of symbols: from it come functions.
    package internal(set) var hasFunctions: Bool
    /// Where in the file the image lies: a universal Mach-O holds several.
    var range: Range<UInt64>

    package enum Format: String, Sendable, Codable {
        case elf = "ELF"
        case machO = "Mach-O"
    }
}

extension BuildID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = BuildID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no build id: \(text.prefix(140))")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

extension ImageFacts {
    /// Images that one file may hold; universal files have two or three.
    static let imageLimit: UInt32 = 16

    /// The images in a file.
    ///
    /// - Throws: `ImageFault` for what is no such file or is damaged; else what the file system answers.
    static func read(_ source: ByteSource) throws -> [ImageFacts] {
        guard source.count >= 4 else { throw ImageFault.unsupported("it has \(source.count) bytes") }
        switch try source.bytes(at: 0, count: 4, of: "the first word").uint32(at: 0) {
        case ELFReader.magic: return [try ELFReader(source: source).facts()]
        case MachOReader.magic: return [try MachOReader(source: source, range: 0..<source.count).facts()]
        case MachOReader.universalMagic: return try MachOReader.universal(source, isWide: false)
        case MachOReader.wideUniversalMagic: return try MachOReader.universal(source, isWide: true)
        default: throw ImageFault.unsupported("it is neither ELF nor Mach-O of 64 bits")
        }
    }
}
