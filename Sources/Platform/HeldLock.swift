#if DEBUG
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A lock that a thread holds, in a debug build. It lies on the thread's stack, and the thread knows the innermost one.
@usableFromInline
struct HeldLock {
    /// The place where a lock was taken.
    struct Place {
        let file: StaticString
        let line: UInt
        let isHeldDuringIO: Bool
    }

    /// Something that was done while a lock was held.
    struct Breach: Hashable, Sendable, CustomStringConvertible {
        /// The act, such as "opening a file".
        let door: String
        /// The file and the line where the lock was taken.
        let place: String

        var description: String {
            "Lock rule broken: \(door) while the lock that was taken at \(place) is held. Expected no lock. Collect what "
                + "is to be done, release the lock, and do it then."
        }
    }

    /// Receives the breaches of the calling task or thread. `nil` writes each to standard error, once.
    @TaskLocal static var onBreach: (@Sendable (Breach) -> Void)?

    private static let reported = Locked<Set<Breach>>([])

    private let place: Place
    /// The lock that the thread took before and still holds.
    private let outer: UnsafePointer<HeldLock>?

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private static var innermost: UnsafePointer<HeldLock>? {
        get {
            guard let key, let address = pthread_getspecific(key) else { return nil }
            return UnsafePointer(address.assumingMemoryBound(to: HeldLock.self))
        }
        set {
            if let key { pthread_setspecific(key, UnsafeRawPointer(newValue)) }
        }
    }

    /// Notes that the calling thread holds a lock while the body runs.
    static func note<Result, Failure: Error>(
        _ place: Place, while body: () throws(Failure) -> Result,
    ) throws(Failure) -> Result {
        let outer = innermost
        let held = HeldLock(place: place, outer: outer)
        return try withUnsafePointer(to: held) { (address: UnsafePointer<HeldLock>) throws(Failure) -> Result in
            innermost = address
            defer { innermost = outer }
            return try body()
        }
    }

    /// Reports `door` if the calling thread holds a lock; for I/O, only a lock that does not serialize I/O counts.
    @usableFromInline
    static func check(_ door: StaticString, isIO: Bool) {
        var next = innermost
        while let held = next?.pointee {
            if !isIO || !held.place.isHeldDuringIO {
                return report(Breach(door: "\(door)", place: "\(held.place.file):\(held.place.line)"))
            }
            next = held.outer
        }
    }

    private static func report(_ breach: Breach) {
        if let onBreach { return onBreach(breach) }
        guard reported.withLock({ $0.insert(breach).inserted }) else { return }
        let line = Array("[astrolabe] \(breach)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
#endif
