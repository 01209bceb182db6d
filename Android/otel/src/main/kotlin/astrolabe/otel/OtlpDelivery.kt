package astrolabe.otel

import astrolabe.conditions.DeviceSignals
import astrolabe.delivery.FlushExecutor
import astrolabe.delivery.FlushScheduler
import astrolabe.delivery.ThreadFlushExecutor
import astrolabe.policy.CollectionPolicy
import astrolabe.queue.OfflineQueue

/**
 * The queue, the policy and the sender behind exporters of opentelemetry-java.
 *
 *     val sender = OtlpSender(OkHttpClient(), "https://collector.example.com")
 *     val delivery = OtlpDelivery(queue, signals, device.installedMemoryGB, sender)
 *     builder
 *         .addSpanExporterCustomizer { delivery.exporters.spans }
 *         .addLogRecordExporterCustomizer { delivery.exporters.logRecords }
 *         .addMetricExporterCustomizer { delivery.exporters.metrics }
 *     delivery.scheduler.start()
 *
 * @param installedMemoryGB `DeviceContext.installedMemoryGB`.
 * @param onDiagnostic Called with a text for a log, on any thread.
 */
public class OtlpDelivery(
    queue: OfflineQueue,
    signals: DeviceSignals,
    installedMemoryGB: Double,
    sender: OtlpSender,
    policy: CollectionPolicy = CollectionPolicy(),
    executor: FlushExecutor = ThreadFlushExecutor(),
    onDiagnostic: (String) -> Unit = {}
) {
    /** The decision in force, for a [SessionSampler]. */
    public val policy: FollowedPolicy = FollowedPolicy(policy.decision(signals.current, installedMemoryGB))

    public val scheduler: FlushScheduler = FlushScheduler(
        queue, signals, policy, installedMemoryGB, executor, onDecision = this.policy::follow,
        onDiagnostic = onDiagnostic, send = sender::send
    )

    public val exporters: OtlpExporters = OtlpExporters(scheduler, this.policy, onDiagnostic)
}
