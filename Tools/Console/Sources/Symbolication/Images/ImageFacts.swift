/// The properties of an executable, a library or a debug file.
package struct ImageFacts: Sendable, Hashable, Codable {
    /// The build ID; `nil` if the linker wrote none.
    package internal(set) var buildID: BuildID?
    package internal(set) var format: Format
    /// The architecture: "x86_64", "arm64", or the file format's number for others.
    package internal(set) var architecture: String
    /// The value to add to an offset to get the linker's address.
    ///
    /// Mach-O offsets count from the header, ELF offsets from address 0.
    package internal(set) var baseAddress: UInt64
    /// The linker's address after the image's last byte.
    ///
    /// For addresses beyond it, the symbolizer would return the last symbol.
    package internal(set) var endAddress: UInt64
    /// True if the image has DWARF, which provides files, lines and inlined functions.
    package internal(set) var hasLines: Bool
    /// True if the image has a symbol table, which provides functions.
    package internal(set) var hasFunctions: Bool
    /// The image's byte range in the file. A universal Mach-O has several images.
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
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a build ID, found \"\(text.prefix(140))\"")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

extension ImageFacts {
    /// The maximum number of images in one file. Universal files have two or three.
    static let imageLimit: UInt32 = 16

    /// Reads the properties of all images in a file.
    ///
    /// - Throws: `ImageFault` if the file is unsupported or damaged, or an error of the file system.
    static func read(_ source: ByteSource) throws -> [ImageFacts] {
        guard source.count >= 4 else { throw ImageFault.unsupported("it has only \(source.count) bytes") }
        switch try source.bytes(at: 0, count: 4, of: "the first word").uint32(at: 0) {
        case ELFReader.magic: return [try ELFReader(source: source).facts()]
        case MachOReader.magic: return [try MachOReader(source: source, range: 0..<source.count).facts()]
        case MachOReader.universalMagic: return try MachOReader.universal(source, isWide: false)
        case MachOReader.wideUniversalMagic: return try MachOReader.universal(source, isWide: true)
        default: throw ImageFault.unsupported("it is neither 64-bit ELF nor 64-bit Mach-O")
        }
    }
}
