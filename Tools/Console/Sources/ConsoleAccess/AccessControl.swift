import AstrolabePlatform
package import Foundation
package import Logging

/// Decides who may send, see and upload, after the keys of a file.
///
///     let keys = KeyFile(path: ".astrolabe/keys.json", digest: .sha256)
///     let access = AccessControl(keys: keys, isExposed: false, audit: audit, logger: logger)
///     let key = try access.admit(presented, for: .ingest, from: ClientAddress("192.0.2.7"))
///
/// The file is read again within a second of a change. Call ``storeUses()`` about once a minute, and when the process
/// ends: until then, the times at which keys were used are in memory.
package final class AccessControl: Sendable {
    /// The time for which the keys are used before the file is looked at again.
    static let freshness: Duration = .seconds(1)

    private struct State {
        var keys: [(key: AccessKey, digest: [UInt8])] = []
        var isReadable = true
        var version: FileVersion?
        var checked: ContinuousClock.Instant?
        var attempts = AttemptLimiter()
        var rates: [String: RequestRate] = [:]
        /// When keys of the file were admitted, since the last time this was stored.
        var uses: [String: Date] = [:]
        var areUsesStored = true
    }

    /// The facts of the file that change when it is replaced.
    private struct FileVersion: Equatable {
        let number: Int?
        let time: Date?
        let size: Int?
    }

    package let audit: AuditLog
    private let file: KeyFile
    private let isExposed: Bool
    /// It is in memory only, so its text stands for its digest.
    private let own: (key: AccessKey, text: [UInt8])?
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Locked(State())

    /// - Parameters:
    ///   - isExposed: Whether keys are required even if the file has none.
    ///   - own: A key for ingest that is in no file.
    ///   - now: The wall clock, by which keys expire.
    package init(
        keys file: KeyFile, isExposed: Bool, own: KeyText? = nil, audit: AuditLog, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() },
    ) {
        self.file = file
        self.isExposed = isExposed
        self.own = own.map { text in
            let key = AccessKey(
                id: "own", name: "this process", use: .ingest, services: nil,
                requestsPerSecond: AccessKey.defaultRate(.ingest), sha256: "", created: Date())
            return (key, Array(text.text.utf8))
        }
        self.audit = audit
        self.logger = logger
        self.now = now
    }

    /// True if requests need a key.
    package var isRequired: Bool {
        state.withLock { state in
            refresh(&state, at: .now)
            return !isOpen(state)
        }
    }

    /// The id of the oldest key of the file, by which it differs from other files; `nil` without keys.
    package var oldestKey: String? {
        state.withLock { state in
            refresh(&state, at: .now)
            return state.keys.first?.key.id
        }
    }

    /// The keys that a request presents, hashed before the lock is taken.
    private struct Presented {
        let text: [UInt8]
        /// `nil` in a program without SHA-256.
        let digest: [UInt8]?
    }

    private func presented(_ text: String?) -> Presented? {
        text.map { Presented(text: Array($0.utf8), digest: file.digest?(KeyText(presented: $0))) }
    }

    private func isOpen(_ state: State) -> Bool { !isExposed && state.isReadable && state.keys.isEmpty }

    /// Returns whether a request with this key would be admitted now, apart from rates. Nothing is counted.
    package func isValid(_ text: String?, for use: KeyUse) -> Bool {
        let presented = presented(text)
        let date = now()
        return state.withLock { state in
            refresh(&state, at: .now)
            if isOpen(state) { return true }
            guard state.isReadable, let presented, let key = match(presented, state.keys) else { return false }
            return key.isValid(at: date) && key.use == use
        }
    }

    /// Admits a request, or throws the reason to refuse it. Refusals are audited. Returns `nil` if the console has no
    /// keys, and only this machine can reach it.
    ///
    /// - Parameters:
    ///   - text: The presented key; `nil` if the request has none.
    ///   - address: The client's address.
    package func admit(
        _ text: String?, for use: KeyUse, from address: ClientAddress, at moment: ContinuousClock.Instant = .now,
    ) throws(AccessRefusal) -> AccessKey? {
        let presented = presented(text)
        let date = now()
        let result = state.withLock { state -> Result<AccessKey?, AccessRefusal> in
            refresh(&state, at: moment)
            if isOpen(state) { return .success(nil) }
            return Result { () throws(AccessRefusal) in try decide(&state, presented, use, address, moment, date) }
        }
        if case .failure(let refusal) = result { refuse(refusal, from: address) }
        return try result.get()
    }

    /// Returns the networks from which unknown keys are refused now, the most frequent first.
    package func lockOuts(at moment: ContinuousClock.Instant = .now) -> [LockOut] {
        state.withLock { $0.attempts.lockOuts(at: moment) }
    }

    /// Checks that a key is for each `service.name` that its request names; `nil` stands for one without.
    package func check(
        _ services: [String?], permittedBy key: AccessKey?, from address: ClientAddress,
    ) throws(AccessRefusal) {
        guard let key, let foreign = services.first(where: { !key.permits(service: $0) }) else { return }
        let refusal = AccessRefusal.wrongService(id: key.id, found: foreign)
        refuse(refusal, from: address)
        throw refusal
    }

    private func refuse(_ refusal: AccessRefusal, from address: ClientAddress) {
        let (reason, key) = refusal.audited
        audit.write(AuditLog.Entry("refused", key: key, address: address.text, detail: reason))
    }

    private func decide(
        _ state: inout State, _ presented: Presented?, _ use: KeyUse, _ address: ClientAddress,
        _ moment: ContinuousClock.Instant, _ date: Date,
    ) throws(AccessRefusal) -> AccessKey {
        guard state.isReadable else { throw .keysUnreadable }
        guard let presented else { throw .noKey(use) }
        guard let key = match(presented, state.keys) else {
            let wait = state.attempts.count(KeyPrefix(presented.text), from: address.network, at: moment)
            throw wait.map { AccessRefusal.tooManyAttempts(retryAfter: $0) } ?? .unknownKey
        }
        guard key.revoked == nil else { throw .revokedKey(id: key.id) }
        if let expires = key.expires, key.isExpired(at: date) { throw .expiredKey(id: key.id, at: expires) }
        guard key.use == use else { throw .wrongUse(id: key.id, found: key.use, expected: use) }
        let rate = key.requestsPerSecond
        if let wait = state.rates[key.id, default: RequestRate(rate, at: moment)].take(rate, at: moment) {
            throw .tooManyRequests(id: key.id, retryAfter: wait)
        }
        if key.id != own?.key.id { state.uses[key.id] = date }
        return key
    }

    /// Compares with every key and with every byte, so that the time says nothing about how much was right.
    private func match(_ presented: Presented, _ keys: [(key: AccessKey, digest: [UInt8])]) -> AccessKey? {
        var found: AccessKey?
        if let digest = presented.digest {
            for (key, other) in keys where Self.isEqual(digest, other) { found = key }
        }
        if let own, Self.isEqual(presented.text, own.text) { found = own.key }
        return found
    }

    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Looks at the file now, and not within a second.
    package func reload() {
        state.withLock { state in
            state.checked = nil
            refresh(&state, at: .now)
        }
    }

    /// Stores when keys were used, if any was used since the last time.
    package func storeUses() {
        let uses: [String: Date] = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
        guard !uses.isEmpty else { return }
        do throws(KeyFileError) {
            try file.record(uses)
            state.withLock { $0.areUsesStored = true }
        } catch {
            let wereUsesStored: Bool = state.withLock { state in
                defer { state.areUsesStored = false }
                state.uses.merge(uses) { newer, _ in newer }
                return state.areUsesStored
            }
            if wereUsesStored { logger.warning("when keys were used is not stored: \(error)") }
        }
    }

    /// Reads the file if it changed. If it cannot be read, no request is admitted.
    private func refresh(_ state: inout State, at moment: ContinuousClock.Instant) {
        if let checked = state.checked, moment - checked < Self.freshness { return }
        state.checked = moment
        let version = currentVersion()
        if state.version == version, state.isReadable, version != nil || state.keys.isEmpty { return }
        state.version = version
        do throws(KeyFileError) {
            // A file that is gone is not a file without keys: it would open the console.
            if version == nil, !state.keys.isEmpty { throw .unreadable(path: file.path, reason: "it was removed") }
            state.keys = try file.keys().map { ($0, Self.bytes(hexadecimal: $0.sha256)) }
            // The keys are kept, so that the file's removal does not open the console.
            if file.digest == nil, !state.keys.isEmpty { throw .noDigest }
            state.isReadable = true
        } catch {
            if state.isReadable { logger.error("\(error)") }
            state.isReadable = false
        }
    }

    private func currentVersion() -> FileVersion? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
        return FileVersion(
            number: attributes[.systemFileNumber] as? Int, time: attributes[.modificationDate] as? Date,
            size: attributes[.size] as? Int)
    }

    private static func bytes(hexadecimal text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
