/// Attributes in the order in which they were set, each key once; setting a key again replaces its value.
///
///     var attributes: Attributes = ["demo.product.id": "OLJCESPC7Z", "demo.product.quantity": 2]
///     attributes["demo.product.quantity"] = 3
///     attributes.setAttribute("demo.coupon", order.coupon)
///
/// Values in a literal may be variables of any type that conforms to `AttributeConvertible`; `nil` sets nothing.
///
/// A search for one key is linear: the specification's default limit is 128 attributes, and most records hold fewer
/// than 20. To create or merge whole sets takes a time that is proportional to their size.
public struct Attributes: Hashable, Sendable {
    /// A key with its value.
    public struct Element: Hashable, Sendable {
        /// The name of the attribute.
        public let key: String
        /// The value of the attribute.
        public var value: AttributeValue

        package init(key: String, value: AttributeValue) {
            self.key = key
            self.value = value
        }
    }

    @usableFromInline var elements: [Element]

    /// Creates a set without attributes.
    @inlinable
    public init() {
        elements = []
    }

    /// Takes elements as they are, trusting that no key occurs twice; for a decoder that has checked.
    package init(uniqueElements: [Element]) {
        elements = uniqueElements
    }

    /// Creates a set of elements. A key that comes again replaces the value and keeps the place.
    package init(elements: [Element]) {
        self.init()
        self.elements.reserveCapacity(elements.count)
        setElements(elements)
    }

    /// Creates a set of a dictionary's entries, ordered by key.
    public init(_ dictionary: [String: some AttributeConvertible]) {
        elements = dictionary.sorted { $0.key < $1.key }.compactMap { key, value in
            value.attributeValue.map { Element(key: key, value: $0) }
        }
    }

    /// Sets an attribute; a later value for the same key replaces it. `nil` sets nothing.
    public mutating func setAttribute(_ key: String, _ value: some AttributeConvertible) {
        if let value = value.attributeValue { self[key] = value }
    }

    /// The value for a key; assigning `nil` removes the attribute.
    public subscript(key: String) -> AttributeValue? {
        get { elements.first { $0.key == key }?.value }
        set {
            switch (elements.firstIndex { $0.key == key }, newValue) {
            case (let index?, let value?): elements[index].value = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append(Element(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Sets all of `other`; its values win.
    public mutating func merge(_ other: Attributes) {
        setElements(other.elements)
    }

    /// These attributes and all of `other`, whose values win.
    public func merging(_ other: Attributes) -> Attributes {
        var result = self
        result.merge(other)
        return result
    }

    /// So many elements are set by a search each, before an index of the keys is made for the others.
    private static let searchLimit = 32

    /// Sets each element in turn, in a time that is proportional to the number of elements here and there.
    private mutating func setElements(_ others: [Element]) {
        for element in others.prefix(Self.searchLimit) { self[element.key] = element.value }
        guard others.count > Self.searchLimit else { return }
        var places: [String: Int] = [:]
        places.reserveCapacity(elements.count + others.count - Self.searchLimit)
        for (place, element) in elements.enumerated() { places[element.key] = place }
        for element in others.dropFirst(Self.searchLimit) {
            if let place = places[element.key] {
                elements[place].value = element.value
            } else {
                places[element.key] = elements.count
                elements.append(element)
            }
        }
    }
}

extension Attributes {
    /// Returns true if both have the same attributes in the same order.
    ///
    /// Written here, so that the comparisons of the types that hold attributes call it. The compiler's own would put a
    /// copy of 10 kB into each of them, and one of 2 kB of `hash(into:)`.
    @inline(never)
    public static func == (left: Attributes, right: Attributes) -> Bool { left.elements == right.elements }

    @inline(never)
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension Attributes: RandomAccessCollection {
    public var startIndex: Int { elements.startIndex }
    public var endIndex: Int { elements.endIndex }
    public subscript(position: Int) -> Element { elements[position] }
}

extension Attributes: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral pairs: (String, (any AttributeConvertible)?)...) {
        self.init()
        elements.reserveCapacity(pairs.count)
        for (key, value) in pairs {
            if let value = value?.attributeValue { self[key] = value }
        }
    }
}

extension Attributes {
    /// The same attributes ordered by key: two sets that differ in order alone become equal.
    package var sortedByKey: Attributes {
        let isSorted = zip(elements, elements.dropFirst()).allSatisfy { $0.key < $1.key }
        return isSorted ? self : Attributes(uniqueElements: elements.sorted { $0.key < $1.key })
    }
}

extension Attributes: CustomStringConvertible {
    public var description: String {
        "[" + map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]"
    }
}
