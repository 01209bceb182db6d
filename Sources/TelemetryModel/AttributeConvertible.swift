/// A type whose values can be attribute values.
///
/// Strings, Booleans, integers, floating-point numbers, arrays and dictionaries of these, and optionals conform:
///
///     span.setAttribute("demo.product.id", product.id)
///     span.setAttribute("demo.coupon", order.coupon)    // sets nothing if the coupon is nil
public protocol AttributeConvertible {
    /// The value as OTLP carries it, or `nil` to set nothing.
    var attributeValue: AttributeValue? { get }
}

extension AttributeValue: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { self }
}

extension String: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { .string(self) }
}

extension Substring: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { .string(String(self)) }
}

extension Bool: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { .bool(self) }
}

extension Double: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { .double(self) }
}

extension Float: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { .double(Double(self)) }
}

extension AttributeConvertible where Self: BinaryInteger {
    /// The integer; a value that 64 bits do not hold becomes the nearest that they do.
    @inlinable public var attributeValue: AttributeValue? { .int(Int64(clamping: self)) }
}

extension Int: AttributeConvertible {}
extension Int8: AttributeConvertible {}
extension Int16: AttributeConvertible {}
extension Int32: AttributeConvertible {}
extension Int64: AttributeConvertible {}
extension UInt: AttributeConvertible {}
extension UInt8: AttributeConvertible {}
extension UInt16: AttributeConvertible {}
extension UInt32: AttributeConvertible {}
extension UInt64: AttributeConvertible {}

extension Array: AttributeConvertible where Element: AttributeConvertible {
    /// The elements without those that are `nil`.
    @inlinable public var attributeValue: AttributeValue? { .array(compactMap(\.attributeValue)) }
}

extension Dictionary: AttributeConvertible where Key == String, Value: AttributeConvertible {
    /// The entries in the order of their keys, without those that are `nil`.
    public var attributeValue: AttributeValue? { AttributeValue.map(Attributes(self)) }
}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
    @inlinable public var attributeValue: AttributeValue? { self?.attributeValue }
}
