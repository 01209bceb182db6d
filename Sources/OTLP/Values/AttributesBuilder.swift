import AstrolabeTelemetryModel

/// Attributes while they are read: a key that comes again replaces the value and keeps the place.
///
/// Up to ``indexedFrom`` keys, a set of 64 bits identifies most keys as new, and the others are searched for. Beyond
/// that a dictionary is used, so that the time for 100,000 attributes is proportional to their number.
struct AttributesBuilder {
    static let indexedFrom = 16

    /// Charged for each key in the dictionary: key and place at its lowest load.
    private static let indexEntryCost = 64

    private(set) var elements: [Attributes.Element] = []
    private var seen: UInt64 = 0
    private var index: [String: Int]?

    var isEmpty: Bool { elements.isEmpty }

    /// Makes room for `count` elements, once.
    @inline(__always)
    mutating func expect(
        _ count: @autoclosure () -> Int, at offset: Int, _ budget: inout MemoryBudget,
    ) throws(OTLPDecodingError) {
        if elements.capacity == 0 { try budget.grow(&elements, by: count(), at: offset) }
    }

    @inline(__always)
    mutating func set(
        _ key: consuming StringCache.Entry, to value: consuming AttributeValue, at offset: Int,
        _ budget: inout MemoryBudget,
    ) throws(OTLPDecodingError) {
        if elements.count < Self.indexedFrom {
            if seen & key.bit != 0, let place = elements.firstIndex(where: { $0.key == key.text }) {
                elements[place].value = value
                return
            }
            seen |= key.bit
        } else if let place = try indexedPlace(of: key.text, at: offset, &budget) {
            elements[place].value = value
            return
        }
        try budget.append(Attributes.Element(key: key.text, value: value), to: &elements, at: offset)
    }

    /// The place of a key that is known; a new one is entered as the next.
    @inline(never)
    private mutating func indexedPlace(
        of key: String, at offset: Int, _ budget: inout MemoryBudget,
    ) throws(OTLPDecodingError) -> Int? {
        if index == nil {
            try budget.charge(elements.count * Self.indexEntryCost, at: offset)
            index = Dictionary(
                elements.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first },
            )
        }
        if let place = index?[key] { return place }
        try budget.charge(Self.indexEntryCost, at: offset)
        index?[key] = elements.count
        return nil
    }

    /// The attributes; the builder must not be used again.
    @inline(__always)
    consuming func finish(_ budget: inout MemoryBudget) -> Attributes {
        if let index { budget.refund(index.count * Self.indexEntryCost) }
        return Attributes(uniqueElements: elements)
    }
}
