#if canImport(MetricKit) && (os(iOS) || os(visionOS))
import Dispatch
import Foundation
import MetricKit

/// Hands over what MetricKit delivers, usually at the launch after a crash or once a day.
///
/// The first use of the manager takes milliseconds, so it is not on the caller's thread. Starts and stops take effect
/// in their order.
final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber, Sendable {
    private static let queue = DispatchQueue(label: "astrolabe.metrickit", qos: .utility)

    private let receiveDiagnostics: @Sendable (Data) -> Void
    private let receiveMetrics: @Sendable (SystemMetrics) -> Void

    init(
        diagnostics: @escaping @Sendable (Data) -> Void, metrics: @escaping @Sendable (SystemMetrics) -> Void,
    ) {
        receiveDiagnostics = diagnostics
        receiveMetrics = metrics
    }

    func start() { Self.queue.async { MXMetricManager.shared.add(self) } }

    func stop() { Self.queue.async { MXMetricManager.shared.remove(self) } }

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
