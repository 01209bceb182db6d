import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeWire

/// Reads an `ExportProfilesServiceRequest` into events, one for each profile.
///
/// OTLP's profiles are in development: the fields are those of `opentelemetry/proto/profiles/v1development` in
/// opentelemetry-proto 1.10. A profile becomes the event ``name``, so that it is searched, queried and expired like
/// other records. Its stacks are merged, and those of the least value are left out beyond ``stackLimit``.
struct ProfileEvents {
    /// The name of a profile's event.
    static let name = "astrolabe.profile"
    /// The most stacks of one profile that are kept.
    static let stackLimit = 1_000
    /// The most frames of one stack that are kept.
    static let depthLimit = 200
    /// The most different functions of one profile that are kept.
    static let frameLimit = 10_000
    private static let profileLimit = 1_000
    private static let attributeLimit = 128

    private let dictionary: ProfileDictionary
    private var count = 0

    static func read(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> [ResourceGroup<LogRecordData>] {
        var groups: [UnsafeRawBufferPointer] = []
        var dictionary = ProfileDictionary()
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            guard case .bytes(let content) = value else { return }
            if field == 1 { groups.append(content) }
            if field == 2 { dictionary = try ProfileDictionary(content, depthLimit: depthLimit) }
        }
        var reader = ProfileEvents(dictionary: dictionary)
        var read: [ResourceGroup<LogRecordData>] = []
        for group in groups { read.append(try reader.group(group)) }
        return read
    }

    private mutating func group(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> ResourceGroup<LogRecordData> {
        var group = ResourceGroup<LogRecordData>(resource: Resource(attributes: [:]))
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            guard case .bytes(let content) = value else { return }
            switch field {
            case 1:
                group.resource = Resource(
                    attributes: try ProfileMessage.attributes(content, field: 1, in: dictionary))
            case 2: group.scopes.append(try scope(content))
            case 3: group.schemaURL = String(decoding: content, as: UTF8.self)
            default: break
            }
        }
        return group
    }

    private mutating func scope(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> ScopeGroup<LogRecordData> {
        var scope = InstrumentationScope(name: "")
        var events: [LogRecordData] = []
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            guard case .bytes(let content) = value else { return }
            if field == 1 {
                try ProfileMessage.read(content) { field, value in
                    guard case .bytes(let text) = value else { return }
                    if field == 1 { scope.name = String(decoding: text, as: UTF8.self) }
                    if field == 2 { scope.version = String(decoding: text, as: UTF8.self) }
                }
            }
            if field == 2 { events.append(try event(content)) }
        }
        return ScopeGroup(scope: scope, records: events)
    }

    private mutating func event(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> LogRecordData {
        count += 1
        guard count <= Self.profileLimit else {
            throw ProfileError(description: "expected at most \(Self.profileLimit) profiles in a request")
        }
        var event = LogRecordData(timeUnixNano: 0, severityNumber: Severity.info.rawValue, eventName: Self.name)
        var sums: [UInt64: Int64] = [:]
        var links: Set<UInt64> = []
        var (type, unit, samples) = ("", "", Int64(0))
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            switch (field, value) {
            case (1, .bytes(let content)): (type, unit) = try valueType(content)
            case (2, .bytes(let content)):
                let sample = try Sample(content)
                samples += 1
                links.insert(sample.link)
                sums[sample.stack] = (sums[sample.stack] ?? 0).addingReportingOverflow(sample.value).partialValue
            case (3, .fixed64(let time)): event.timeUnixNano = time
            case (4, .varint(let duration)):
                event.attributes["astrolabe.profile.duration"] = .double(Double(duration) / 1e9)
            case (7, .bytes(let id)):
                if id.count == 16, id.contains(where: { $0 != 0 }) {
                    event.attributes["log.record.uid"] = .string(ProfileMessage.hex(id))
                }
            case (11, _):
                for index in try ProfileMessage.numbers(value).prefix(Self.attributeLimit) {
                    guard let (key, value) = dictionary.attribute(index) else { continue }
                    event.attributes[key] = value
                }
            default: break
            }
        }
        event.attributes["astrolabe.profile.type"] = .string(type)
        event.attributes["astrolabe.profile.unit"] = .string(unit)
        event.attributes["astrolabe.profile.samples"] = .int(samples)
        if links.count == 1, let link = links.first, let (trace, span) = dictionary.link(link) {
            (event.traceID, event.spanID) = (trace, span)
        }
        describe(sums, in: &event.attributes)
        return event
    }

    private func valueType(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) -> (String, String) {
        var (type, unit) = (UInt64(0), UInt64(0))
        try ProfileMessage.read(bytes) { field, value in
            guard case .varint(let index) = value else { return }
            if field == 1 { type = index }
            if field == 2 { unit = index }
        }
        return (dictionary.string(type), dictionary.string(unit))
    }

    /// Adds the functions, and the stacks as lists of their numbers, innermost first.
    private func describe(_ sums: [UInt64: Int64], in attributes: inout Attributes) {
        var numbers: [ProfileDictionary.Frame: Int] = [:]
        var frames: [AttributeValue] = []
        var stacks: [AttributeValue] = []
        let largest = sums.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (stack, value) in largest.prefix(Self.stackLimit) {
            var members: [AttributeValue] = []
            for frame in dictionary.frames(ofStack: stack, limit: Self.depthLimit) {
                if numbers[frame] == nil, frames.count < Self.frameLimit {
                    numbers[frame] = frames.count
                    frames.append(.map(frame.members))
                }
                if let number = numbers[frame] { members.append(.int(Int64(number))) }
            }
            let stack: Attributes = ["value": AttributeValue.int(value), "frames": AttributeValue.array(members)]
            stacks.append(.map(stack))
        }
        if largest.count > Self.stackLimit {
            attributes["astrolabe.profile.stacks_left_out"] = .int(Int64(largest.count - Self.stackLimit))
        }
        attributes["astrolabe.profile.frames"] = .array(frames)
        attributes["astrolabe.profile.stacks"] = .array(stacks)
    }
}

extension ProfileDictionary.Frame {
    fileprivate var members: Attributes {
        var members: Attributes = ["function": AttributeValue.string(name)]
        if !file.isEmpty { members["file"] = .string(file) }
        if line > 0 { members["line"] = .int(line) }
        return members
    }
}

/// One `Sample`.
private struct Sample {
    var stack: UInt64 = 0
    var link: UInt64 = 0
    /// The sum of its values, or the number of its times if it has no values.
    private(set) var value: Int64

    init(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) {
        var (stack, link) = (UInt64(0), UInt64(0))
        var values: Int64?
        var times: Int64 = 0
        try ProfileMessage.read(bytes) { field, value throws(ProfileError) in
            switch (field, value) {
            case (1, .varint(let index)): stack = index
            case (3, .varint(let index)): link = index
            case (4, _):
                for number in try ProfileMessage.numbers(value) {
                    values = (values ?? 0).addingReportingOverflow(Int64(bitPattern: number)).partialValue
                }
            case (5, _): times += Int64(ProfileMessage.fixedCount(value))
            default: break
            }
        }
        (self.stack, self.link, self.value) = (stack, link, values ?? times)
    }
}
