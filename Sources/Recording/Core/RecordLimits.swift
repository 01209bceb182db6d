/// Limits of one record; what goes beyond is left out and counted on the record itself.
///
/// Counts are the defaults of the OpenTelemetry specification ("Span limits", "Attribute limits"); lengths, which the
/// specification leaves open, are bounded here because a phone's storage is.
public struct RecordLimits: Equatable, Sendable {
    /// Attributes of a span or an event record. Default 128. The record's own attributes come before those that the app
    /// sets on all records; the SDK's session, screen and network are not counted.
    /// `OTEL_ATTRIBUTE_COUNT_LIMIT`.
    public var attributeCount = 128
    /// UTF-8 bytes of one string value, and bytes of one byte value; longer ones are cut, text at a character's edge.
    /// Names of spans and events, bodies and descriptions are held to it too. Default 16,384. `Int.max` means no limit
    /// but that of a record's size. `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT`.
    public var attributeValueLength = 16_384
    /// The depth to which lists and maps nest in one value; what lies deeper is left empty. Default 16, the half of
    /// what the console's reader takes.
    package var attributeValueDepth = 16
    /// Events of a span. Default 128. `OTEL_SPAN_EVENT_COUNT_LIMIT`.
    public var eventCount = 128
    /// Links of a span. Default 128. `OTEL_SPAN_LINK_COUNT_LIMIT`.
    public var linkCount = 128
    /// Attributes of one event or link of a span. Default 128.
    package var attributeCountPerEventOrLink = 128
    /// Bytes of a whole encoded record. A record that would be larger loses its largest attributes. Default 262,144.
    package var recordSize = 262_144

    /// Creates the default limits.
    public init() {}

    /// UTF-8 bytes of an attribute's key; a longer key is cut.
    static let keyLength = 256
    /// UTF-8 bytes of the name of a scope or an instrument; a longer name is cut.
    static let nameLength = 256

    /// Returns a copy with every limit in a range that no arithmetic overflows.
    ///
    /// `Int.max` means no limit, so a value of any length is taken that fits into a record.
    package var bounded: RecordLimits {
        var limits = self
        limits.recordSize = max(recordSize, 1_024)
        limits.attributeCount = max(attributeCount, 0)
        limits.attributeValueLength = min(max(attributeValueLength, 0), limits.recordSize)
        limits.attributeValueDepth = min(max(attributeValueDepth, 0), 16)
        limits.eventCount = max(eventCount, 0)
        limits.linkCount = max(linkCount, 0)
        limits.attributeCountPerEventOrLink = max(attributeCountPerEventOrLink, 0)
        return limits
    }
}
