import AstrolabePlatform
import AstrolabeSemantics
package import AstrolabeTelemetryModel
import AstrolabeWire
import Atomics

/// Attributes that every record carries at the moment: the SDK's own, such as `session.id`, and those of the app.
///
/// They are encoded when they change, which is seldom, and copied as bytes into each record, which is often. The app's
/// have limits, so that they never take the room of a record's own attributes.
package final class AmbientAttributes: Sendable {
    /// The number of attributes that the app can set on all records.
    package static let countLimit = 64
    /// Bytes of the app's attributes together, encoded.
    package static let sizeLimit = 8_192
    /// Bytes of the text of one of the app's attributes; a longer text is cut.
    package static let textLimit = 1_024
    /// Bytes of a screen's name, and of its id.
    package static let screenLimit = 256

    /// One encoded state of the attributes.
    package final class Snapshot: AtomicReference, @unchecked Sendable {  // the bytes never change
        /// The SDK's own attributes, then those of the app. The SDK's own win.
        package let attributes: Attributes
        /// The SDK's own attributes.
        fileprivate let own: Attributes
        /// The app's attributes.
        fileprivate let app: Attributes
        /// The pairs as repeated ``SpanField/attributes``. They live as long as the snapshot.
        let spanFields: UnsafeRawBufferPointer
        /// The pairs as repeated ``LogRecordField/attributes``.
        let logFields: UnsafeRawBufferPointer
        /// Bytes of either that the SDK's own attributes take.
        let ownSize: Int
        /// The number of the attributes that are the app's.
        let appCount: Int
        /// The key filter of `AttributeFields` for these keys.
        let keyFilter: UInt64

        init(own: Attributes, app: Attributes) {
            self.own = own
            self.app = app
            attributes = Attributes(uniqueElements: own + app.filter { own[$0.key] == nil })
            spanFields = Self.encoded(attributes, as: SpanField.attributes)
            logFields = Self.encoded(attributes, as: LogRecordField.attributes)
            ownSize = own.wireSize
            appCount = attributes.count - own.count
            keyFilter = attributes.reduce(0) { $0 | AttributeFields.filterBit(of: $1.key) }
        }

        deinit {
            spanFields.deallocate()
            logFields.deallocate()
        }

        private static func encoded(_ attributes: Attributes, as field: UInt32) -> UnsafeRawBufferPointer {
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: attributes.wireSize, alignment: 8)
            if let base = bytes.baseAddress {
                var writer = WireWriter(base)
                attributes.write(as: field, to: &writer)
            }
            return UnsafeRawBufferPointer(bytes)
        }
    }

    /// Why an attribute of the app is not on the records.
    package enum Refusal: Hashable, Sendable {
        /// The app has set as many attributes as it can.
        case tooMany
        /// The app's attributes would become larger than they can.
        case tooLarge
    }

    private let current: UnsafeAtomic<Snapshot>
    private let observer = Locked<(@Sendable () -> Void)?>(nil)

    package init(_ attributes: Attributes = [:]) {
        current = .create(Snapshot(own: attributes, app: [:]))
    }

    deinit {
        current.destroy()
    }

    package var snapshot: Snapshot { current.load(ordering: .acquiring) }

    /// Sets one of the SDK's own attributes for all records that start from now on; `nil` removes it.
    package func set(_ key: String, to value: AttributeValue?) {
        update { $0[key] = value }
    }

    /// Changes several of the SDK's own attributes at once: no record sees a part of the change.
    package func update(_ change: (inout Attributes) -> Void) {
        exchange { snapshot in
            var own = snapshot.own
            change(&own)
            return Snapshot(own: own, app: snapshot.app)
        }
    }

    /// Returns true if the app can set this key: it has set it before, or there is room for one more.
    func hasRoom(for key: String) -> Bool {
        let app = snapshot.app
        return app.count < Self.countLimit || app[key] != nil
    }

    /// Sets one of the app's attributes for all records that start from now on; `nil` removes it.
    ///
    /// An attribute that would pass a limit is not set. An earlier value of it is removed, because it no longer holds.
    func setOfApp(_ key: String, to value: AttributeValue?) -> Refusal? {
        var refusal: Refusal?
        exchange { snapshot in
            refusal = nil
            var app = snapshot.app
            app[key] = value
            if app.count > Self.countLimit { refusal = .tooMany }
            if app.wireSize > Self.sizeLimit { refusal = .tooLarge }
            if refusal != nil { app[key] = nil }
            return app == snapshot.app ? nil : Snapshot(own: snapshot.own, app: app)
        }
        return refusal
    }

    /// Replaces the snapshot by the one that `make` returns; `nil` changes nothing.
    private func exchange(_ make: (Snapshot) -> Snapshot?) {
        var old = snapshot
        while let new = make(old) {
            let (exchanged, original) = current.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if exchanged {
                observer.withLock { $0 }?()
                return
            }
            old = original
        }
    }

    /// Removes all attributes, the SDK's own and the app's.
    func removeAll() {
        exchange { $0.attributes.isEmpty ? nil : Snapshot(own: [:], app: [:]) }
    }

    /// Calls `body` after each change, on the thread that made it; `nil` ends that. Changes are seldom, and on no
    /// span's path.
    package func observe(_ body: (@Sendable () -> Void)?) {
        observer.withLock { $0 = body }
    }
}

extension RecordingCore {
    /// Sets an attribute of the app on all records that start from now on, without secrets and within the limits of
    /// ``AmbientAttributes``. What does not fit is reported once. While consent is denied, nothing is set.
    package func setAmbient(_ key: String, to value: AttributeValue?) {
        let key = admitted(key: key)
        guard !key.isEmpty else { return }
        guard let value else {
            _ = ambient.setOfApp(key, to: nil)
            return
        }
        guard periods.isPermitted else { return }
        let bounded = ambient.hasRoom(for: key) ? admitted(value.boundedToAmbient, key: key) : nil
        switch bounded.map({ ambient.setOfApp(key, to: $0) }) ?? .tooMany {
        case nil: break
        case .tooMany:
            notices.report(.tooManyAmbientAttributes) {
                "\"\(key)\" is not set on all records: at most \(AmbientAttributes.countLimit) attributes can be. "
                    + "Remove others first."
            }
        case .tooLarge:
            notices.report(.tooLargeAmbientAttributes) {
                "\"\(key)\" is not set on all records: together, such attributes can have at most "
                    + "\(AmbientAttributes.sizeLimit) bytes. Set it on single records instead."
            }
        }
    }

    /// Names the screen on all records that start from now on, without secrets and within
    /// `AmbientAttributes.screenLimit`. A screen with another name is a breadcrumb. While consent is denied, none is
    /// named.
    package func setScreen(name: String?, id: String?) {
        guard periods.isPermitted else { return }
        let bounded = { (text: String) in
            AttributeValue.string(self.admitted(name: text, limit: AmbientAttributes.screenLimit))
        }
        let (name, id) = (name.map(bounded), id.map(bounded))
        if let text = name?.stringValue, ambient.snapshot.attributes[AttributeKey.appScreenName] != name {
            addBreadcrumb(text, category: "screen")
        }
        ambient.update { attributes in
            attributes[AttributeKey.appScreenName] = name
            attributes[AttributeKey.appScreenID] = id
        }
    }
}

extension AttributeValue {
    /// The value with its text and bytes cut to what an attribute of all records can have, before it is redacted.
    fileprivate var boundedToAmbient: AttributeValue {
        switch self {
        case .string(let text): .string(text.truncated(toUTF8: AmbientAttributes.textLimit))
        case .bytes(let bytes): .bytes(Array(bytes.prefix(AmbientAttributes.textLimit)))
        case .empty, .bool, .int, .double, .array, .map: self
        }
    }
}
