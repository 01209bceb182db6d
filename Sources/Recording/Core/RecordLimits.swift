/// How much one record may hold; what goes beyond is left out and counted on the record itself.
///
/// Counts are the defaults of the OpenTelemetry specification ("Span limits", "Attribute limits"); lengths, which the
/// specification leaves open, are bounded here because a phone's storage is.
public struct RecordLimits: Hashable, Sendable {
    /// Attributes of a span or an event record. Default 128.
    public var attributeCount = 128
    /// UTF-8 bytes of one string value, and bytes of one byte value; longer ones are cut, text at a character's edge.
    /// Names, bodies and descriptions are held to it too. Default 16,384.
    public var attributeValueLength = 16_384
    /// How deep lists and maps nest in one value; what lies deeper is left empty. Default 16, the half of what the
    /// console's reader takes.
    package var attributeValueDepth = 16
    /// Events of a span. Default 128.
    public var eventCount = 128
    /// Links of a span. Default 128.
    public var linkCount = 128
    /// Attributes of one event or link of a span. Default 128.
    package var attributeCountPerEventOrLink = 128
    /// Bytes of a whole encoded record; an attribute, event or link that would pass it is left out. Default 262,144.
    package var recordSize = 262_144

    /// Creates the default limits.
    public init() {}
}
