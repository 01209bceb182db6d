import Synchronization

/// An object with a publisher that emits before the object changes.
///
/// The default publisher emits for each `@Published` property. It is the same in every call, also for an object without
/// such a property, so that `objectWillChange.send()` reaches the views.
public protocol ObservableObject: OpenCombine.ObservableObject {}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    public var objectWillChange: ObservableObjectPublisher {
        if Mirror(reflecting: self).hasPublishedProperty { return Reflected(self).objectWillChange }
        return PublisherTable.shared.publisher(of: self)
    }
}

/// Gives OpenCombine's default publisher the properties of another object.
private final class Reflected: OpenCombine.ObservableObject, CustomReflectable {
    let customMirror: Mirror

    init(_ object: AnyObject) {
        customMirror = Mirror(reflecting: object)
    }
}

private protocol PublishedProperty {}

extension Published: PublishedProperty {}

extension Mirror {
    fileprivate var hasPublishedProperty: Bool {
        children.contains { $0.value is any PublishedProperty } || superclassMirror?.hasPublishedProperty == true
    }
}

/// The publishers of objects without a `@Published` property, for as long as the objects live.
private final class PublisherTable: Sendable {
    static let shared = PublisherTable()

    private struct Entry: @unchecked Sendable {  // the table's lock orders every access
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of entries at which those of released objects are removed.
        var limit = 64
    }

    private let state = Mutex(State())

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        nonisolated(unsafe) let object = object  // stored as a weak reference, and compared by identity
        let entry = state.withLock { state in
            if let entry = state.entries[ObjectIdentifier(object)], entry.object === object { return entry }
            if state.entries.count >= state.limit {
                state.entries = state.entries.filter { $0.value.object != nil }
                state.limit = max(64, state.entries.count * 2)
            }
            let entry = Entry(object: object, publisher: ObservableObjectPublisher())
            state.entries[ObjectIdentifier(object)] = entry
            return entry
        }
        return entry.publisher
    }
}
