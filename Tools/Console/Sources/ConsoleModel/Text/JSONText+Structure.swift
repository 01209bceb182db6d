extension JSONText {
    /// Appends an object whose members `write` appends with `member`.
    ///
    ///     text.object {
    ///         $0.member("name", "checkout")
    ///         $0.member("errors", 2)
    ///     }
    package mutating func object(_ write: (inout JSONText) -> Void) {
        append(raw: "{")
        write(&self)
        append(raw: "}")
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void,
    ) {
        append(raw: "[")
        for element in elements {
            separate(after: UInt8(ascii: "["))
            write(&self, element)
        }
        append(raw: "]")
    }

    /// Appends a member of the current object. `name` must not need escaping.
    package mutating func member(_ name: StaticString, _ write: (inout JSONText) -> Void) {
        separate(after: UInt8(ascii: "{"))
        append(raw: "\"")
        append(raw: name)
        append(raw: "\":")
        write(&self)
    }

    /// Appends a member whose name may need escaping.
    package mutating func member(named name: String, _ write: (inout JSONText) -> Void) {
        separate(after: UInt8(ascii: "{"))
        append(name)
        append(raw: ":")
        write(&self)
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        member(name) { $0.append(value) }
    }

    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        member(name) { $0.append(value) }
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        member(name) { $0.append(raw: value ? "true" : "false") }
    }

    /// Appends a member unless its value is `nil`.
    package mutating func member(optional name: StaticString, _ value: String?) {
        if let value { member(name, value) }
    }

    /// Appends a comma unless `opening` was just written. Inside a structure, nothing else ends with that byte.
    private mutating func separate(after opening: UInt8) {
        if bytes.last != opening { bytes.append(UInt8(ascii: ",")) }
    }
}
