#if canImport(MetricKit) && (os(iOS) || os(visionOS))
import Foundation
import MetricKit

/// Hands over what MetricKit delivers, usually at the launch after a crash or once a day.
final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber {
    private let receiveDiagnostics: @Sendable (Data) -> Void
    private let receiveMetrics: @Sendable (SystemMetrics) -> Void

    init(
        diagnostics: @escaping @Sendable (Data) -> Void, metrics: @escaping @Sendable (SystemMetrics) -> Void,
    ) {
        receiveDiagnostics = diagnostics
        receiveMetrics = metrics
    }

    func start() { MXMetricManager.shared.add(self) }

    func stop() { MXMetricManager.shared.remove(self) }

    func didReceive(_ payloads: [MXDiagnosticPayload]) {
        for payload in payloads { receiveDiagnostics(payload.jsonRepresentation()) }
    }

    #if os(iOS)
    func didReceive(_ payloads: [MXMetricPayload]) {
        for metrics in payloads.compactMap({ SystemMetrics($0) }) { receiveMetrics(metrics) }
    }
    #endif
}
#endif
