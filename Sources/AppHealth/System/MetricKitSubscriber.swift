#if canImport(MetricKit) && (os(iOS) || os(visionOS))
import Foundation
import MetricKit

/// Hands over the diagnostics that MetricKit delivers, usually at the launch after a crash or once a day.
final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber {
    private let receive: @Sendable (Data) -> Void

    init(_ receive: @escaping @Sendable (Data) -> Void) {
        self.receive = receive
    }

    func start() { MXMetricManager.shared.add(self) }

    func stop() { MXMetricManager.shared.remove(self) }

    func didReceive(_ payloads: [MXDiagnosticPayload]) {
        for payload in payloads { receive(payload.jsonRepresentation()) }
    }

    #if os(iOS)
    func didReceive(_ payloads: [MXMetricPayload]) {}
    #endif
}
#endif
