public import Combine

/// An object from the environment.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject> {
    private var object: ObjectType?

    public init() {}

    /// Traps if no view above has set an object of the type.
    @MainActor
    public var wrappedValue: ObjectType {
        guard let object else {
            fatalError(
                "No ObservableObject of type \(ObjectType.self) found. A View.environmentObject(_:) for "
                    + "\(ObjectType.self) may be missing as an ancestor of this view.")
        }
        return object
    }

    @MainActor
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject.Wrapper(object: wrappedValue) }
}

extension EnvironmentObject: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        let found = node.environment.object(ObjectType.self)
        properties.noteRead(at: offset) { $0.object(ObjectType.self) === found }
        object = found
        if let found { properties.observe(found, at: offset, node: node) }
    }
}

extension View {
    /// Sets an object for all views below that read one of its type.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        modifier(EnvironmentObjectModifier(object: object))
    }
}

private struct EnvironmentObjectModifier<T: ObservableObject>: PrimitiveModifier {
    typealias Body = Never
    let object: T

    func changeEnvironment(_ values: inout EnvironmentValues) { values.setObject(object) }
    func rendersLike(_ other: Self) -> Bool { true }
}
