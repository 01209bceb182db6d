public import Combine

/// An object that is passed to the view, which is evaluated again when the object changes.
@MainActor
@preconcurrency
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject> {
    /// Bindings to the object's properties.
    @MainActor
    @preconcurrency
    @dynamicMemberLookup
    public struct Wrapper {
        let object: ObjectType

        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let object = object
            return Binding(
                location: FunctionLocation(
                    get: { object[keyPath: keyPath] },
                    set: { value, transaction in
                        let current = transaction.animation == nil ? Transaction.current : transaction
                        Transaction.with(current) { object[keyPath: keyPath] = value }
                    },
                )
            )
        }
    }

    public var wrappedValue: ObjectType

    public init(wrappedValue: ObjectType) {
        self.wrappedValue = wrappedValue
    }

    public init(initialValue: ObjectType) {
        wrappedValue = initialValue
    }

    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}

extension ObservedObject: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { false }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        properties.observe(wrappedValue, at: offset, node: node)
    }
}
