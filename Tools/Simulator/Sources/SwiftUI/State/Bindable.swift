public import Observation

/// Bindings to the properties of an observable object.
@available(iOS 17, macOS 14, *)
@dynamicMemberLookup
@propertyWrapper
public struct Bindable<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {
        self.wrappedValue = wrappedValue
    }

    public init(_ wrappedValue: Value) where Value: AnyObject, Value: Observable {
        self.wrappedValue = wrappedValue
    }

    public init(projectedValue: Bindable<Value>) where Value: AnyObject, Value: Observable {
        self = projectedValue
    }

    public var projectedValue: Bindable<Value> { self }

    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> where Value: AnyObject {
        let object = wrappedValue
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

extension Environment {
    /// Reads an observable object that `environment(_:)` has set. Traps if there is none.
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        self.init(read: { values in
            guard let object = values.observable(Value.self) else {
                fatalError(
                    "No Observable object of type \(Value.self) found. A View.environment(_:) for \(Value.self) may be "
                        + "missing as an ancestor of this view.")
            }
            return object
        })
    }

    /// Reads an observable object, or `nil` if none has been set.
    public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? {
        self.init(read: { $0.observable(T.self) })
    }
}

extension View {
    /// Sets an observable object for all views below that read one of its type.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        modifier(EnvironmentModifier { $0.setObservable(object) })
    }
}
