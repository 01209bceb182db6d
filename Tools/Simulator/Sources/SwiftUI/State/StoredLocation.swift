import Foundation
import Synchronization

/// The form in which a value is kept in the user's defaults.
struct StoredForm<Value> {
    let read: (Any) -> Value?
    let write: (Value) -> Any?

    static func plain() -> StoredForm { StoredForm(read: { $0 as? Value }, write: { $0 }) }

    static func number(_ read: @escaping (NSNumber) -> Value) -> StoredForm {
        StoredForm(read: { ($0 as? NSNumber).map(read) }, write: { $0 })
    }

    static func optionalNumber<Number>(_ read: @escaping (NSNumber) -> Number) -> StoredForm
    where Value == Number? {
        StoredForm(read: { ($0 as? NSNumber).map { read($0) } }, write: { $0 })
    }
}

/// A value of the user's defaults, by its key.
final class StoredLocation<Value>: Location<Value>, @unchecked Sendable {  // nothing in it changes
    private let key: String
    private let store: UserDefaults
    private let fallback: Value
    private let form: StoredForm<Value>
    private let readers: StoredReaders

    init(key: String, store: UserDefaults, fallback: Value, form: StoredForm<Value>) {
        self.key = key
        self.store = store
        self.fallback = fallback
        self.form = form
        readers = StoredReaders.of(key, in: store)
    }

    override func get() -> Value {
        if let node = Evaluation.current?.node { readers.register(node) }
        return store.object(forKey: key).flatMap(form.read) ?? fallback
    }

    override func set(_ value: Value, _ transaction: Transaction) {
        if let new = form.write(value) as Any?, !isNil(new) {
            store.set(new, forKey: key)
        } else {
            store.removeObject(forKey: key)
        }
        if let evaluation = Evaluation.current {
            evaluation.reportWrite(to: "the default \(key)")
        } else {
            Transaction.with(transaction.animation == nil ? Transaction.current : transaction) { readers.changed() }
        }
    }

    private func isNil(_ value: Any) -> Bool { (value as? any AnyOptional)?.isNil ?? false }
}

/// The nodes that read one key of the user's defaults.
final class StoredReaders: Dependency, @unchecked Sendable {  // the readers' lock orders every access
    private struct Key: Hashable {
        let store: ObjectIdentifier
        let key: String
    }

    private static let known = Mutex<[Key: StoredReaders]>([:])
    private let readers = Readers()

    /// The defaults stay in memory as long as the process, so their identity is never reused.
    static func of(_ key: String, in store: UserDefaults) -> StoredReaders {
        let key = Key(store: ObjectIdentifier(store), key: key)
        return known.withLock { known in
            if let readers = known[key] { return readers }
            let readers = StoredReaders(store)
            known[key] = readers
            return readers
        }
    }

    private init(_ store: UserDefaults) {
        let readers = readers
        _ = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: store, queue: nil,
        ) { _ in if Evaluation.current == nil { readers.notify() } }
        retained = store
    }

    private let retained: UserDefaults

    func register(_ node: ViewNode) {
        MainActor.assumeIsolated {
            readers.insert(node, inbox: node.graph.inbox)
            node.depend(on: self)
        }
    }

    func changed() { readers.notify() }
    func forget(_ node: ViewNode) { readers.remove(node) }
}
