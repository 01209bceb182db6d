import AstrolabePlatform
package import AstrolabeTelemetryModel
import AstrolabeWire
import Atomics

/// Attributes that every record carries at the moment, such as `session.id` and `app.screen.name`.
///
/// They are encoded when they change, which is seldom, and copied as bytes into each record, which is often.
package final class AmbientAttributes: Sendable {
    /// One encoded state of the attributes.
    package final class Snapshot: AtomicReference, Sendable {
        package let attributes: Attributes
        /// The pairs as repeated ``SpanField/attributes``.
        let spanFields: [UInt8]
        /// The key filter of `AttributeFields` for these keys.
        let keyFilter: UInt64

        init(_ attributes: Attributes) {
            self.attributes = attributes
            var span: [UInt8] = []
            let size = attributes.wireSize
            span.appendWire(size) { attributes.write(as: SpanField.attributes, to: &$0) }
            spanFields = span
            keyFilter = attributes.reduce(0) { $0 | AttributeFields.filterBit(of: $1.key) }
        }
    }

    private let current: ManagedAtomic<Snapshot>
    private let observer = Locked<(@Sendable () -> Void)?>(nil)

    package init(_ attributes: Attributes = [:]) {
        current = ManagedAtomic(Snapshot(attributes))
    }

    package var snapshot: Snapshot { current.load(ordering: .acquiring) }

    /// Sets one attribute for all records that start from now on; `nil` removes it.
    package func set(_ key: String, to value: AttributeValue?) {
        update { $0[key] = value }
    }

    /// Changes several attributes at once: no record sees a part of the change.
    package func update(_ change: (inout Attributes) -> Void) {
        var old = snapshot
        while true {
            var attributes = old.attributes
            change(&attributes)
            let (exchanged, original) = current.compareExchange(
                expected: old, desired: Snapshot(attributes), ordering: .acquiringAndReleasing, )
            if exchanged {
                observer.withLock { $0 }?()
                return
            }
            old = original
        }
    }

    /// Has every change told from now on, after it and on its thread. Changes are seldom, and on no span's path.
    package func observe(_ body: @escaping @Sendable () -> Void) {
        observer.withLock { $0 = body }
    }
}
