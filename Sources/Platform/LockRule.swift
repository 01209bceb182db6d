/// The rule of ``Locked``: while one is held, nothing is recorded, no closure of the app is called, and no I/O is
/// performed.
///
/// Every door to these calls a function of this type. In a debug build, the function reports a lock that the calling
/// thread holds. In a release build it is empty and inlined.
package enum LockRule {
    /// Checks that the calling thread holds no lock.
    ///
    /// - Parameter door: The act, such as `"calling onDiagnostic"`: a call of the app's code, or a record that is made,
    ///   which may call it.
    @inlinable
    package static func checkCall(_ door: StaticString) {
        #if DEBUG
        HeldLock.check(door, isIO: false)
        #endif
    }

    /// Checks that the calling thread holds no lock but those that serialize I/O.
    ///
    /// - Parameter door: The act, such as `"opening a file"`.
    @inlinable
    package static func checkIO(_ door: StaticString) {
        #if DEBUG
        HeldLock.check(door, isIO: true)
        #endif
    }
}
