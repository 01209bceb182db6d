import Astrolabe
import AstrolabeDelivery
import AstrolabeOpAMP
import AstrolabePlatform
import AstrolabePolicy
import AstrolabePolicyDocument
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// Asks the server for documents by OpAMP, and follows the good ones.
///
/// It acts after flushes only, on a task of its own, and sends by delivery's transport. So it wakes no radio, and
/// nothing that it does can hold up a record.
final class RemotePolicyClient: PolicyFollower {
    private let settings: RemotePolicyConfiguration
    private let run: PolicyFollowerFactory.Run
    private let store: PolicyStore
    private let state: Locked<State>
    /// True after `stop`. Held during I/O, so that nothing is written after it.
    private let isStopped = Locked(false, isHeldDuringIO: true)

    private struct State {
        var keeper: PolicyKeeper
        var schedule: PollSchedule
        var message: MessageState
        var report = RemotePolicyReport()
        var actions: PolicyActions?
        /// The part of a document that the policy takes into account now.
        var applied: RemotePolicy?
        /// The task of the last flush that had something to do.
        var work: Task<Void, Never>?
        var isPolling = false
    }

    /// The contents of the next message.
    private struct MessageState {
        var uid: [UInt8]
        /// Counts the messages that were sent, from 1.
        var sequenceNumber: UInt64 = 1
        var describesAgent = true
        var status: RemoteConfigStatus?
    }

    /// Requests of one poll: the first one, one that reports what became of an offer, and one more if asked for.
    private static let requestsOfPoll = 3
    private static let timeout = Duration.seconds(10)

    init(_ settings: RemotePolicyConfiguration, in run: PolicyFollowerFactory.Run) {
        self.settings = settings
        self.run = run
        store = PolicyStore(in: run.directory)
        let gate = PolicyGate(
            app: run.resource.attributes[AttributeKey.serviceName]?.stringValue ?? "",
            bounds: run.configuration.bounds(filling: settings.bounds), isSigned: { settings.verifies($0, $1) })
        let (stored, now) = (store.document, Self.seconds(run.time.wall()))
        let keeper = PolicyKeeper(
            gate, installation: run.installationID, stored: stored?.offer, carriedOut: store.requests, at: now)
        var message = MessageState(uid: Self.uid(of: run.installationID))
        if let stored, keeper.current != nil {
            message.status = RemoteConfigStatus(lastHash: stored.serverHash, state: .applied)
        }
        state = Locked(
            State(
                keeper: keeper, schedule: PollSchedule(interval: settings.interval), message: message,
                applied: keeper.policy(at: now)))
    }

    /// The installation's id as 16 bytes; random ones if it is no UUID.
    private static func uid(of installation: String) -> [UInt8] {
        withUnsafeBytes(of: (UUID(uuidString: installation) ?? UUID()).uuid) { Array($0) }
    }

    private static func seconds(_ wall: UInt64) -> Int64 { Int64(wall / 1_000_000_000) }

    private var now: Int64 { Self.seconds(run.time.wall()) }

    var policy: RemotePolicy? { state.withLock { $0.applied } }

    var report: RemotePolicyReport {
        let now = now
        return state.withLock { state in
            var report = state.report
            guard let document = state.keeper.inForce(at: now) else { return report }
            report.version = document.version
            report.hash = document.hash
            report.expires = Date(timeIntervalSince1970: Double(document.expires))
            return report
        }
    }

    func begin(_ actions: PolicyActions) { state.withLock { $0.actions = actions } }

    func stop() {
        isStopped.withLock { $0 = true }
        let work = state.withLock { state in
            state.actions = nil
            return state.work
        }
        work?.cancel()
    }

    /// Waits until all that flushes have begun is done, for tests.
    func settle() async { await state.withLock { $0.work }?.value }

    func afterFlush(_ cause: FlushCause, hasDelivered: Bool) {
        guard let actions = state.withLock({ $0.actions }) else { return }
        let (isInForeground, now, time) = (actions.isInForeground(), now, run.time.now())
        let (changes, polls) = state.withLock { state in
            let delivers = hasDelivered || state.applied?.mayBeSilent == true
            let isDue = state.schedule.isDue(isInForeground: isInForeground, hasDelivered: delivers, at: time)
            let polls = isDue && !state.isPolling
            if polls { state.isPolling = true }
            return (state.keeper.policy(at: now) != state.applied, polls)
        }
        guard changes || polls else { return }
        state.withLock { state in
            let earlier = state.work
            state.work = Task(priority: .utility) {
                await earlier?.value
                if changes { self.apply() }
                if polls { await self.poll() }
            }
        }
    }

    /// Applies the document in force, if that is not what was applied last.
    private func apply() {
        let now = now
        let (change, actions) = state.withLock { state -> (RemotePolicy??, PolicyActions?) in
            let policy = state.keeper.policy(at: now)
            guard policy != state.applied else { return (nil, nil) }
            state.applied = policy
            return (.some(policy), state.actions)
        }
        if let change { actions?.apply(change) }
    }

    private func poll() async {
        defer { state.withLock { $0.isPolling = false } }
        for _ in 0..<Self.requestsOfPoll {
            guard let actions = state.withLock({ $0.actions }), actions.isInForeground() else { return }
            guard let result = await actions.post(nextRequest()) else { return }
            state.withLock { state in
                state.report.requests += 1
                state.message.sequenceNumber += 1
            }
            let isStopped = isStopped.withLock { $0 }
            guard !isStopped, follow(result) else { return }
        }
    }

    private func nextRequest() -> OTLPRequest {
        let message = state.withLock { state in
            var message = AgentToServer(
                instanceUID: state.message.uid, sequenceNumber: state.message.sequenceNumber)
            message.capabilities = [.reportsStatus, .acceptsRemoteConfig, .reportsRemoteConfig, .reportsHealth]
            message.remoteConfigStatus = state.message.status
            if state.message.describesAgent {
                message.description = description
                message.health = ComponentHealth(isHealthy: true)
            }
            return message
        }
        var headers = settings.headers
        headers["Content-Type"] = OpAMP.contentType
        return OTLPRequest(url: settings.endpoint, headers: headers, body: message.bytes, timeout: Self.timeout)
    }

    private var description: AgentDescription {
        func found(_ keys: [String]) -> Attributes {
            var found = Attributes()
            for key in keys { found[key] = run.resource.attributes[key] }
            return found
        }
        return AgentDescription(
            identifying: found([
                AttributeKey.serviceName, AttributeKey.serviceVersion, AttributeKey.appInstallationID,
            ]),
            others: found([
                AttributeKey.osName, AttributeKey.osVersion, AttributeKey.osType, AttributeKey.deviceModelIdentifier,
                AttributeKey.deviceManufacturer, AttributeKey.deploymentEnvironmentName,
            ]))
    }

    /// Follows the server's response; returns true if another message is to be sent at once.
    private func follow(_ result: SendResult) -> Bool {
        guard case .response(200..<300, _, let body) = result else {
            fail(result.problem, retryAfter: result.retryAfter)
            return false
        }
        do throws(OpAMPError) {
            return follow(try ServerToAgent(decoding: body))
        } catch {
            fail("The server's response cannot be read: \(error)", retryAfter: nil)
            return false
        }
    }

    private func follow(_ message: ServerToAgent) -> Bool {
        if let error = message.errorResponse {
            let retryAfter = error.retryAfterNanoseconds.map { Double($0) / 1e9 }
            fail("The server responded with the error \"\(error.message.prefix(200))\"", retryAfter: retryAfter)
            return false
        }
        let time = run.time.now()
        let random = run.time.random()
        let isToDescribe = message.flags.contains(.reportFullState)
        state.withLock { state in
            state.schedule.succeeded(at: time, random: random)
            state.report.lastFailure = nil
            state.message.describesAgent = isToDescribe
            if !message.newInstanceUID.isEmpty { state.message.uid = message.newInstanceUID }
        }
        guard let configuration = message.remoteConfig else { return isToDescribe }
        take(configuration)
        return true
    }

    private func take(_ configuration: AgentRemoteConfig) {
        let offer = PolicyOffer(configuration) ?? PolicyOffer(document: [], signature: [])
        // A copy, because the app's code may verify the signature. Nothing else changes the keeper.
        var keeper = state.withLock { $0.keeper }
        let result = keeper.take(offer, at: now)
        state.withLock { $0.keeper = keeper }
        switch result {
        case .success(let requests):
            // In this order: a kill in between repeats no request, and the server offers the document again.
            let isStored = isStopped.withLock { isStopped in
                guard !isStopped else { return false }
                if !requests.isEmpty { store.store(keeper.carriedOut) }
                store.store(PolicyStore.Stored(offer: offer, serverHash: configuration.hash))
                return true
            }
            guard isStored else { return }
            note(RemoteConfigStatus(lastHash: configuration.hash, state: .applied))
            apply()
            let actions = state.withLock { $0.actions }
            for request in requests where request.kind == .promote { actions?.promote(request.id) }
        case .failure(let refusal):
            note(
                RemoteConfigStatus(
                    lastHash: configuration.hash, state: .failed, errorMessage: refusal.description))
            state.withLock { state in
                state.report.refused[refusal.reason, default: 0] += 1
                state.report.lastRefusal = refusal.description
            }
            run.configuration.onDiagnostic("Remote policy: \(refusal.description)")
        }
    }

    private func note(_ status: RemoteConfigStatus) { state.withLock { $0.message.status = status } }

    private func fail(_ problem: String, retryAfter: Double?) {
        let time = run.time.now()
        let isNew = state.withLock { state in
            defer { state.report.lastFailure = problem }
            state.schedule.failed(at: time, retryAfter: retryAfter)
            return state.report.lastFailure == nil
        }
        if isNew { run.configuration.onDiagnostic("Remote policy: \(problem). It is asked for again later.") }
    }
}

extension SendResult {
    fileprivate var problem: String {
        switch self {
        case .response(let status, _, _): "The server responded with HTTP \(status)"
        case .timedOut: "The server did not respond in time"
        case .unreachable(let reason): "The server cannot be reached: \(reason)"
        }
    }

    /// Seconds.
    fileprivate var retryAfter: Double? {
        guard case .response(_, let time?, _) = self, time > .zero else { return nil }
        return time.seconds
    }
}

extension TelemetryConfiguration {
    /// The bounds with the values of this configuration where they name none.
    fileprivate func bounds(filling bounds: RemotePolicyBounds) -> RemotePolicyBounds {
        bounds.filled(
            from: policy, fixedRate: fixedSamplingRate, fixedInterval: flushInterval,
            dailyBytes: recorderBounds.dailyBytes, limitPerHour: recorderBounds.limitPerHour)
    }
}
