/// A dictionary that drops entries that were not read recently.
///
/// It holds at most twice `limit` entries in two generations. When the young generation is full, it becomes the old
/// one, and the entries of the previous old generation are dropped. This is cheaper than an exact LRU cache.
struct GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old[key] else { return nil }
            set(key, to: value)
            return value
        }
        set {
            guard let newValue else { return }
            set(key, to: newValue)
        }
    }

    private mutating func set(_ key: Key, to value: Value) {
        if young.count >= limit {
            old = young
            young.removeAll(keepingCapacity: true)
        }
        young[key] = value
    }

    mutating func removeAll() {
        young.removeAll()
        old.removeAll()
    }
}
