import AstrolabeTelemetryModel
import AstrolabeWire

/// The tables that the profiles of one request share. Index 0 of each is the absent value.
///
/// Each entry is read once, so the time to read a request grows with its length alone.
struct ProfileDictionary {
    /// A function on a stack, as it is stored.
    struct Frame: Hashable {
        let name: String
        let file: String
        let line: Int64
    }

    private struct Location {
        var mapping: UInt64 = 0
        var address: UInt64 = 0
        var lines: [(function: UInt64, line: UInt64)] = []
    }

    /// The most inlined functions of one location.
    private static let inlineLimit = 64

    private var mappings: [(start: UInt64, offset: UInt64, file: UInt64)] = []
    private var locations: [Location] = []
    private var functions: [(name: UInt64, systemName: UInt64, file: UInt64)] = []
    private var links: [(TraceID, SpanID)?] = []
    private var strings: [UnsafeRawBufferPointer] = []
    private var attributes: [(String, AttributeValue)?] = []
    /// The indices of locations, innermost first.
    private var stacks: [[UInt64]] = []

    init() {}

    /// - Parameters:
    ///   - bytes: A `ProfilesDictionary`, which must outlive this value.
    ///   - depthLimit: The most locations of a stack that are kept.
    init(_ bytes: UnsafeRawBufferPointer, depthLimit: Int) throws(ProfileError) {
        var pairs: [UnsafeRawBufferPointer] = []
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            guard case .bytes(let entry) = value else { return }
            switch field {
            case 1:
                let numbers = try Self.numbers(entry)
                mappings.append((numbers[1], numbers[3], numbers[4]))
            case 2: locations.append(try Self.location(entry))
            case 3:
                let numbers = try Self.numbers(entry)
                functions.append((numbers[1], numbers[2], numbers[3]))
            case 4: links.append(try Self.link(entry))
            case 5: strings.append(entry)
            case 6: pairs.append(entry)
            case 7: stacks.append(try Self.stack(entry, limit: depthLimit))
            default: break
            }
        }
        // The keys are in the table of strings, which may come last.
        for pair in pairs { attributes.append(try ProfileMessage.attribute(pair, key: nil, keyIndex: 1, in: self)) }
    }

    /// The text at an index, at most 500 bytes of it; empty if there is none.
    func string(_ index: UInt64) -> String {
        guard let bytes = Self.entry(strings, index) else { return "" }
        return String(decoding: bytes.prefix(500), as: UTF8.self)
    }

    /// The trace and span that a sample belongs to; `nil` if it has none.
    func link(_ index: UInt64) -> (TraceID, SpanID)? { Self.entry(links, index) ?? nil }

    func attribute(_ index: UInt64) -> (String, AttributeValue)? { Self.entry(attributes, index) ?? nil }

    /// The frames of a stack, innermost first. A location with inlined functions has several.
    func frames(ofStack index: UInt64, limit: Int) -> [Frame] {
        var frames: [Frame] = []
        for number in Self.entry(stacks, index) ?? [] where frames.count < limit {
            guard let location = Self.entry(locations, number) else { continue }
            if location.lines.isEmpty {
                frames.append(frame(at: location))
            } else {
                frames += location.lines.prefix(limit - frames.count).map { frame(of: $0.function, line: $0.line) }
            }
        }
        return frames
    }

    private func frame(of index: UInt64, line: UInt64) -> Frame {
        let function = Self.entry(functions, index) ?? (0, 0, 0)
        let name = string(function.name)
        return Frame(
            name: name.isEmpty ? string(function.systemName) : name, file: string(function.file),
            line: Int64(truncatingIfNeeded: line))
    }

    /// Code without a name is named by its file and the address in it.
    private func frame(at location: Location) -> Frame {
        let mapping = Self.entry(mappings, location.mapping) ?? (0, 0, 0)
        let image = string(mapping.file).split(separator: "/").last.map(String.init) ?? "unknown"
        let offset = location.address &- mapping.start &+ mapping.offset
        return Frame(name: image + "+0x" + String(offset, radix: 16), file: "", line: 0)
    }

    private static func entry<Entry>(_ table: [Entry], _ index: UInt64) -> Entry? {
        guard index > 0, let index = Int(exactly: index), index < table.count else { return nil }
        return table[index]
    }

    /// The numbers in the fields 1 to 4 of a message, at their indices.
    private static func numbers(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> [UInt64] {
        var numbers: [UInt64] = [0, 0, 0, 0, 0]
        try ProfileMessage.read(bytes) { field, value in
            if case .varint(let number) = value, field < numbers.count { numbers[Int(field)] = number }
        }
        return numbers
    }

    private static func location(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> Location {
        var location = Location()
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            switch (field, value) {
            case (1, .varint(let index)): location.mapping = index
            case (2, .varint(let address)): location.address = address
            case (3, .bytes(let line)) where location.lines.count < inlineLimit:
                let numbers = try numbers(line)
                location.lines.append((numbers[1], numbers[2]))
            default: break
            }
        }
        return location
    }

    private static func link(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> (TraceID, SpanID)? {
        var trace: TraceID?
        var span: SpanID?
        try ProfileMessage.read(bytes) { field, value in
            guard case .bytes(let id) = value else { return }
            let hex = ProfileMessage.hex(id)
            if field == 1 { trace = TraceID(hex: hex) }
            if field == 2 { span = SpanID(hex: hex) }
        }
        guard let trace, let span, trace.isValid, span.isValid else { return nil }
        return (trace, span)
    }

    private static func stack(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(ProfileError) -> [UInt64] {
        var locations: [UInt64] = []
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            guard field == 1, locations.count < limit else { return }
            locations += try ProfileMessage.numbers(value).prefix(limit - locations.count)
        }
        return locations
    }
}
