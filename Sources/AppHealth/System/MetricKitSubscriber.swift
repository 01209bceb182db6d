#if canImport(MetricKit) && (os(iOS) || os(visionOS))
import Foundation
import MetricKit

/// Hands over what MetricKit delivers, usually at the launch after a crash or once a day.
final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber {
    private let receiveDiagnostics: @Sendable (Data) -> Void
    private let receiveExits: @Sendable (SystemExitCounts) -> Void

    init(
        diagnostics: @escaping @Sendable (Data) -> Void, exits: @escaping @Sendable (SystemExitCounts) -> Void,
    ) {
        receiveDiagnostics = diagnostics
        receiveExits = exits
    }

    func start() { MXMetricManager.shared.add(self) }

    func stop() { MXMetricManager.shared.remove(self) }

    func didReceive(_ payloads: [MXDiagnosticPayload]) {
        for payload in payloads { receiveDiagnostics(payload.jsonRepresentation()) }
    }

    #if os(iOS)
    func didReceive(_ payloads: [MXMetricPayload]) {
        for counts in payloads.compactMap({ SystemExitCounts($0) }) { receiveExits(counts) }
    }
    #endif
}
#endif
