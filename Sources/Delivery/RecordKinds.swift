import AstrolabeTelemetryModel

/// Kinds of records, a bit each.
struct RecordKinds: Equatable, Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt8 = 0

    init(_ kinds: [RecordKind]) {
        for kind in kinds { bits |= Self.bit(kind) }
    }

    init(arrayLiteral kinds: RecordKind...) {
        self.init(kinds)
    }

    var isEmpty: Bool { bits == 0 }

    /// The kinds in the order of `RecordKind.allCases`.
    var all: [RecordKind] { RecordKind.allCases.filter(contains) }

    func contains(_ kind: RecordKind) -> Bool { bits & Self.bit(kind) != 0 }

    mutating func remove(_ kind: RecordKind) { bits &= ~Self.bit(kind) }

    mutating func formUnion(_ other: RecordKinds) { bits |= other.bits }

    func intersection(_ other: RecordKinds) -> RecordKinds { RecordKinds(all.filter(other.contains)) }

    func subtracting(_ other: RecordKinds) -> RecordKinds { RecordKinds(all.filter { !other.contains($0) }) }

    private static func bit(_ kind: RecordKind) -> UInt8 { 1 << kind.rawValue }
}
