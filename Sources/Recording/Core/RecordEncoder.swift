import AstrolabeTelemetryModel
import AstrolabeWire

/// A record that is being written: each thing that is set goes at once into its final OTLP form.
///
///     head | attributes of all records: the SDK's, the app's | the record's own attributes and others | tail
///
/// This is the part that spans and events share. All of their attributes pass here, where they are redacted and
/// limited. It is a plain value, which only one thread may change at a time.
struct RecordEncoder {
    /// The fields so far. Those from `start` on are length-delimited.
    var fields: FieldBuffer
    private let start: Int
    /// The number of the field that attributes are, below 16.
    private let field: UInt32
    /// Bytes that the record may have before its tail.
    private let sizeLimit: Int
    private var keyFilter: UInt64 = 0
    /// The number of attributes that count: not those that the SDK itself sets on all records.
    private var attributeCount: Int
    /// The end of the SDK's own attributes of all records, and the end of those of the app.
    private var ownAmbientEnd: Int
    private var ambientEnd: Int
    var droppedAttributes: UInt32 = 0
    /// True if something was left out because the record would be too large.
    var isTooLarge = false

    /// Begins after the head.
    ///
    /// - Parameters:
    ///   - field: The number of the field that attributes are, below 16.
    ///   - reserve: Bytes of the largest record that are kept free for the tail.
    ///   - uncounted: How many of the attributes that will be set do not count.
    @inline(__always)
    init(after head: FieldBuffer, attributes field: UInt32, reserve: Int, uncounted: Int = 0, core: RecordingCore) {
        fields = head
        start = head.count
        self.field = field
        sizeLimit = core.limits.recordSize &- reserve
        attributeCount = -uncounted
        ownAmbientEnd = start
        ambientEnd = start
    }

    /// Copies the attributes of all records, before any other is set.
    ///
    /// - Parameter encoded: The attributes of `snapshot` as the record's field.
    @inline(__always)
    mutating func append(
        _ encoded: UnsafeRawBufferPointer, of snapshot: AmbientAttributes.Snapshot, core: RecordingCore,
    ) {
        keyFilter = snapshot.keyFilter
        attributeCount = snapshot.appCount
        ownAmbientEnd = start + snapshot.ownSize
        ambientEnd = start + encoded.count
        fields.append(encoded.count) { $0.bytes(encoded) }
        if attributeCount > core.limits.attributeCount || !fits(0) { dropAmbientAttributes(core) }
    }

    /// Only if the limits are so small that the attributes of all records pass them.
    @inline(never)
    private mutating func dropAmbientAttributes(_ core: RecordingCore) {
        while attributeCount > core.limits.attributeCount, dropLastAmbientAttribute() {}
        while !fits(0), dropLargestAttribute(over: 0) { isTooLarge = true }
    }

    /// Frees what the fields have grown into; the encoder must not be used after.
    @inline(__always)
    func deallocate() {
        fields.deallocate()
    }

    /// Returns true if so many more bytes fit in the record.
    @inline(__always)
    func fits(_ size: Int) -> Bool { fields.count &+ size <= sizeLimit }

    /// Appends a submessage that is neither an attribute nor limited in number here; false if it does not fit.
    mutating func append(_ field: UInt32, size: Int, _ write: (inout WireWriter) -> Void) -> Bool {
        guard fits(WireSize.field(size: size)) else {
            isTooLarge = true
            return false
        }
        fields.append(WireSize.field(size: size)) { writer in
            writer.header(field, size: size)
            write(&writer)
        }
        return true
    }

    mutating func setAttribute(_ key: String, _ value: AttributeValue, core: RecordingCore) {
        switch value {
        case .string(let text): setAttribute(key, text, core)
        case .bool: setAttribute(key, admitted: value, core: core)
        case .int, .double:
            let isSecret = core.redactor.isSecret(value, key: key)
            setAttribute(key, admitted: isSecret ? .string(Redactor.replacement) : value, core: core)
        case .empty, .bytes, .array, .map: setAttribute(key, admitted: core.admitted(value, key: key), core: core)
        }
    }

    private mutating func setAttribute(_ key: String, _ value: String, _ core: RecordingCore) {
        let isWritten =
            key.utf8.withContiguousStorageIfAvailable { key in
                value.utf8.withContiguousStorageIfAvailable { text in
                    guard core.isAdmissible(text, key: key) else { return false }
                    append(key, valueSize: WireSize.field(size: text.count), core) {
                        $0.field(AnyValueField.string, UnsafeRawBufferPointer(text))
                    }
                    return true
                } ?? false
            } ?? false
        if !isWritten { setAttribute(key, admitted: .string(core.admitted(value, key: key)), core: core) }
    }

    /// Sets an attribute to a value that may be recorded as it is. The key is redacted.
    mutating func setAttribute(_ key: String, admitted value: AttributeValue, core: RecordingCore) {
        let isWritten = key.withUTF8Bytes { key in
            guard core.isAdmissible(key: key) else { return false }
            append(key, valueSize: value.wireSize, core) { value.write(to: &$0) }
            return true
        }
        if !isWritten { write(value, changedKey: core.admitted(key: key), core) }
    }

    @inline(never)
    private mutating func write(_ value: AttributeValue, changedKey key: String, _ core: RecordingCore) {
        key.withUTF8Bytes { key in append(key, valueSize: value.wireSize, core) { value.write(to: &$0) } }
    }

    /// Writes an attribute in place of an earlier one with its key, or leaves it out and counts it where the limits say
    /// so. A key must not be empty (specification, "Attribute").
    @inline(__always)
    private mutating func append(
        _ key: UnsafeBufferPointer<UInt8>, valueSize: Int, _ core: RecordingCore,
        _ writeValue: (inout WireWriter) -> Void,
    ) {
        guard !key.isEmpty else { return }
        let bit = AttributeFields.filterBit(of: key)
        if keyFilter & bit != 0, !removeEarlier(key, core) { return }
        let pairSize = WireSize.field(size: key.count) + WireSize.field(size: valueSize)
        let size = WireSize.field(size: pairSize)
        guard attributeCount < core.limits.attributeCount && fits(size) || makeRoom(for: size, core) else {
            droppedAttributes &+= 1
            return
        }
        keyFilter |= bit
        attributeCount &+= 1
        fields.append(size) { [field] writer in
            writer.header(field, size: pairSize)
            writer.field(KeyValueField.key, UnsafeRawBufferPointer(key))
            writer.header(KeyValueField.value, size: valueSize)
            writeValue(&writer)
        }
    }

    /// Returns true if the record has an attribute with this key.
    func contains(_ key: String) -> Bool {
        key.withUTF8Bytes { key in
            keyFilter & AttributeFields.filterBit(of: key) != 0 && place(of: key, from: start) != nil
        }
    }

    /// Removes an attribute that was set on this record. One that all records have stays.
    mutating func removeAttribute(_ key: String, core: RecordingCore) {
        core.admitted(key: key).withUTF8Bytes { key in
            if let range = place(of: key, from: ambientEnd) { remove(range) }
        }
    }

    /// Removes an earlier attribute with this key, if there is one. Returns false if it stays, because it is one of the
    /// SDK's own, which do not count, and there is no room for the new one.
    private mutating func removeEarlier(_ key: UnsafeBufferPointer<UInt8>, _ core: RecordingCore) -> Bool {
        guard let range = place(of: key, from: start) else { return true }
        let isOwn = range.lowerBound < ownAmbientEnd
        guard !isOwn || attributeCount < core.limits.attributeCount || dropLastAmbientAttribute() else {
            droppedAttributes &+= 1
            return false
        }
        remove(range)
        return true
    }

    /// The place of the attribute with this key, if it is at `start` or after it.
    private func place(of key: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[start...])
        return AttributeFields.range(of: key, tag: tag, in: bytes).map {
            $0.lowerBound + start..<$0.upperBound + start
        }
    }

    private var tag: UInt8 { WireType.delimited.tag(field) }

    /// Removes the field of an attribute.
    private mutating func remove(_ range: Range<Int>) {
        fields.remove(range)
        if range.lowerBound < ownAmbientEnd { ownAmbientEnd -= range.count } else { attributeCount &-= 1 }
        if range.lowerBound < ambientEnd { ambientEnd -= range.count }
    }

    /// Makes room for one more attribute. Returns false if the attribute itself must be left out.
    ///
    /// If there are too many attributes, one that the app sets on all records is dropped. If the record is too large,
    /// attributes that are larger than the new one are dropped.
    @inline(never)
    private mutating func makeRoom(for size: Int, _ core: RecordingCore) -> Bool {
        if attributeCount >= core.limits.attributeCount, !dropLastAmbientAttribute() { return false }
        guard !fits(size) else { return true }
        isTooLarge = true
        while !fits(size) {
            guard dropLargestAttribute(over: size) else { return false }
        }
        return true
    }

    private mutating func dropLastAmbientAttribute() -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[ownAmbientEnd..<ambientEnd])
        guard let range = AttributeFields.last(in: bytes) else { return false }
        remove(range.lowerBound + ownAmbientEnd..<range.upperBound + ownAmbientEnd)
        droppedAttributes &+= 1
        return true
    }

    private mutating func dropLargestAttribute(over size: Int) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[start...])
        guard let range = AttributeFields.largest(tag: tag, in: bytes), range.count > size else { return false }
        remove(range.lowerBound + start..<range.upperBound + start)
        droppedAttributes &+= 1
        return true
    }
}
