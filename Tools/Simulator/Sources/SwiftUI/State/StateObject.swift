public import Combine

/// An object that the view's place in the hierarchy makes once, and keeps until the view goes.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
    private let make: () -> ObjectType
    private var object: ObjectType?

    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
        make = thunk
    }

    /// Outside of a view that is shown there is no object yet, and each reading makes one.
    @MainActor
    public var wrappedValue: ObjectType { object ?? make() }

    @MainActor
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject.Wrapper(object: wrappedValue) }
}

extension StateObject: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        let object = properties.storage(at: offset, make)
        properties.observe(object, at: offset, node: node)
        self.object = object
    }
}
