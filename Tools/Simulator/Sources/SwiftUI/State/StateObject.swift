public import Combine

/// An object that the view's node creates once, and keeps until the view is removed.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
    private let make: () -> ObjectType
    private var object: ObjectType?

    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
        make = thunk
    }

    /// Outside a visible view there is no stored object, so each read creates one.
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
