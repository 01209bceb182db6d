@_spi(Reflection) import Swift
import Synchronization

/// The offsets of a struct's stored properties, and which of them the runtime installs.
///
/// Computed once for each type. Through it, property wrappers of a view reach the storage of their node, in place in
/// the view's memory.
final class FieldLayout: Sendable {
    struct Field: Sendable {
        let offset: Int
        let type: Any.Type
        /// A property whose value is stored in the node, such as `@State`.
        let isKeptByNode: Bool
        private let compare: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

        init(offset: Int, type: Any.Type) {
            self.offset = offset
            self.type = type
            isKeptByNode = (type as? any InstallableProperty.Type)?.isKeptByNode ?? false
            compare = Self.isReference(type) ? Self.sameReference : Self.comparison(type)
        }

        func areSame(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
            guard let a = a.baseAddress, let b = b.baseAddress else { return true }
            return compare(a + offset, b + offset)
        }

        /// A reference may be weak, which the runtime's field description does not tell, so it cannot be read as a
        /// value.
        private static func isReference(_ type: Any.Type) -> Bool {
            let type = (type as? any AnyOptional.Type)?.wrapped ?? type
            return type is AnyClass || type == AnyObject.self
        }

        private static func sameReference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
            a.loadUnaligned(as: UInt.self) == b.loadUnaligned(as: UInt.self)
        }

        private static func comparison<T>(
            _ type: T.Type
        ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
            { a, b in
                ValueEquality.areEqual(
                    a.assumingMemoryBound(to: T.self).pointee, b.assumingMemoryBound(to: T.self).pointee)
            }
        }
    }

    let fields: [Field]
    let hasProperties: Bool
    var hasFields: Bool { !fields.isEmpty }

    private static let known = Mutex<[ObjectIdentifier: FieldLayout]>([:])

    static func of(_ type: Any.Type) -> FieldLayout {
        if let layout = known.withLock({ $0[ObjectIdentifier(type)] }) { return layout }
        let layout = FieldLayout(type)
        known.withLock { $0[ObjectIdentifier(type)] = layout }
        return layout
    }

    private init(_ type: Any.Type) {
        var fields: [Field] = []
        if Self.isStruct(type) {
            _ = _forEachField(of: type, options: []) { _, offset, type, _ in
                fields.append(Field(offset: offset, type: type))
                return true
            }
        }
        self.fields = fields
        hasProperties = fields.contains {
            $0.type is any DynamicProperty.Type || $0.type is any App.Type || $0.type is any _ControlStyle.Type
        }
    }

    /// The runtime's metadata begins with its kind; 0x200 is that of structs.
    private static func isStruct(_ type: Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == 0x200
    }

    /// Returns whether all fields have equal values, except those for which `isIgnored` holds.
    func areSame<T>(_ old: T, _ new: T, except isIgnored: (Field) -> Bool = { _ in false }) -> Bool {
        withUnsafeBytes(of: old) { oldBytes in
            withUnsafeBytes(of: new) { newBytes in
                fields.allSatisfy { isIgnored($0) || $0.areSame(oldBytes, newBytes) }
            }
        }
    }

    /// Connects each property wrapper to its storage in the node, and updates the app's own dynamic properties.
    @MainActor
    func install(in memory: UnsafeMutableRawPointer, at base: Int = 0, node: ViewNode, properties: NodeProperties) {
        guard hasProperties else { return }
        for field in fields {
            let pointer = memory + field.offset
            if let type = field.type as? any InstallableProperty.Type {
                Self.install(type, pointer, offset: base + field.offset, node, properties)
            } else if let type = field.type as? any DynamicProperty.Type {
                FieldLayout.of(type).install(
                    in: pointer, at: base + field.offset, node: node, properties: properties)
                Self.update(type, pointer)
            } else if field.type is any App.Type || field.type is any _ControlStyle.Type {
                FieldLayout.of(field.type).install(
                    in: pointer, at: base + field.offset, node: node, properties: properties)
            }
        }
    }

    @MainActor
    private static func install<P: InstallableProperty>(
        _ type: P.Type, _ pointer: UnsafeMutableRawPointer, offset: Int, _ node: ViewNode,
        _ properties: NodeProperties,
    ) {
        pointer.assumingMemoryBound(to: P.self).pointee.install(in: node, properties: properties, at: offset)
    }

    @MainActor
    private static func update<P: DynamicProperty>(_ type: P.Type, _ pointer: UnsafeMutableRawPointer) {
        pointer.assumingMemoryBound(to: P.self).pointee.update()
    }
}
