/// The layout of a field's value in protobuf: the low three bits of its tag.
@frozen @usableFromInline
package enum WireType: Sendable {
    case varint
    case fixed64
    case delimited
    case startGroup
    case endGroup
    case fixed32

    @inlinable @inline(__always)
    package var bits: UInt32 {
        switch self {
        case .varint: 0
        case .fixed64: 1
        case .delimited: 2
        case .startGroup: 3
        case .endGroup: 4
        case .fixed32: 5
        }
    }

    /// The one byte of a tag of this type, for a field below 16.
    @inlinable @inline(__always)
    package func tag(_ field: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: field << 3 | bits)
    }

    /// The type that a tag names; `nil` for 6 and 7, which protobuf does not define.
    @inlinable @inline(__always)
    package init?(tag: UInt64) {
        switch tag & 7 {
        case 0: self = .varint
        case 1: self = .fixed64
        case 2: self = .delimited
        case 3: self = .startGroup
        case 4: self = .endGroup
        case 5: self = .fixed32
        default: return nil
        }
    }
}
