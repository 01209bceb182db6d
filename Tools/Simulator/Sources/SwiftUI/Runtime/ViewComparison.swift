import Foundation

/// Determines whether two values are equal as far as a view can tell.
///
/// It compares bytes first, then uses `Equatable`, and then compares field by field. Values that cannot be compared,
/// such as closures with different contexts, count as different. A body may then run once more than needed.
@MainActor
enum ViewComparison {
    /// Compares like ``ValueEquality/areEqual(_:_:)``, but ignores the properties of a view that its node stores.
    static func areSame<V>(_ old: V, _ new: V) -> Bool {
        if ValueEquality.haveSameBytes(old, new) { return true }
        let layout = FieldLayout.of(V.self)
        guard layout.hasFields else { return ValueEquality.areEqual(old, new) }
        if !layout.hasProperties, let equal = ValueEquality.equatableResult(old, new) { return equal }
        return layout.areSame(old, new) { $0.isKeptByNode }
    }

    static func areSameViews(_ old: any View, _ new: any View) -> Bool {
        func compare<V: View>(_ old: V) -> Bool { exact(new, as: V.self).map { areSame(old, $0) } ?? false }
        return compare(old)
    }
}

enum ValueEquality {
    static func areEqual<T>(_ a: T, _ b: T) -> Bool {
        if haveSameBytes(a, b) { return true }
        if let equal = equatableResult(a, b) { return equal }
        if let optional = a as? any AnyOptional { return isEqualOptional(optional, b) }
        if T.self == (any View).self, let a = a as? any View, let b = b as? any View { return areEqualBoxed(a, b) }
        let layout = FieldLayout.of(T.self)
        return layout.hasFields && layout.areSame(a, b)
    }

    private static func areEqualBoxed(_ a: any View, _ b: any View) -> Bool {
        func compare<V: View>(_ a: V) -> Bool { exact(b, as: V.self).map { areEqual(a, $0) } ?? false }
        return compare(a)
    }

    static func haveSameBytes<T>(_ a: T, _ b: T) -> Bool {
        // Not `elementsEqual`, which a debug build calls for each byte.
        withUnsafeBytes(of: a) { a in
            withUnsafeBytes(of: b) { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return true }
                return memcmp(a, b, MemoryLayout<T>.size) == 0
            }
        }
    }

    static func equatableResult<T>(_ a: T, _ b: T) -> Bool? {
        if let a = a as? any AnyOptional, a.isNil { return (b as? any AnyOptional)?.isNil ?? false }
        guard let a = a as? any Equatable else { return nil }
        return isEqual(a, b)
    }

    /// The bytes around the value of an optional may be any, so that those of equal ones differ.
    private static func isEqualOptional<O: AnyOptional>(_ a: O, _ b: Any) -> Bool {
        (b as? O).map { a.hasEqualValue($0) } ?? false
    }

    private static func isEqual<E: Equatable>(_ a: E, _ b: Any) -> Bool {
        (b as? E).map { a == $0 } ?? false
    }
}

/// An `Optional` of an unknown type.
protocol AnyOptional {
    static var wrapped: Any.Type { get }
    var isNil: Bool { get }
    func hasEqualValue(_ other: Self) -> Bool
}

extension Optional: AnyOptional {
    static var wrapped: Any.Type { Wrapped.self }
    var isNil: Bool { self == nil }

    func hasEqualValue(_ other: Wrapped?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return ValueEquality.areEqual(self, other)
    }
}
