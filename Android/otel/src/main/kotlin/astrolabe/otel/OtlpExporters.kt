package astrolabe.otel

import astrolabe.delivery.FlushScheduler
import astrolabe.policy.KindAdmission
import astrolabe.policy.TelemetryKind
import astrolabe.policy.UploadPriority
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.sdk.common.CompletableResultCode
import io.opentelemetry.sdk.common.InstrumentationScopeInfo
import io.opentelemetry.sdk.logs.data.LogRecordData
import io.opentelemetry.sdk.logs.export.LogRecordExporter
import io.opentelemetry.sdk.metrics.InstrumentType
import io.opentelemetry.sdk.metrics.data.AggregationTemporality
import io.opentelemetry.sdk.metrics.data.MetricData
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector
import io.opentelemetry.sdk.metrics.export.MetricExporter
import io.opentelemetry.sdk.trace.data.SpanData
import io.opentelemetry.sdk.trace.export.SpanExporter
import java.util.concurrent.ConcurrentHashMap

/**
 * Exporters of opentelemetry-java that store in the queue what the policy admits. The scheduler sends it.
 *
 * An export succeeds when its records are on disk, so that a processor that has flushed survives a kill.
 *
 * @param onDiagnostic Called if records could not be encoded. They are dropped.
 */
public class OtlpExporters(
    private val scheduler: FlushScheduler,
    private val policy: FollowedPolicy,
    private val onDiagnostic: (String) -> Unit = {}
) {
    /** The signals whose exporter was shut down. OpenTelemetry ends the three one after the other, each with a last batch. */
    private val ended: MutableSet<OtlpSignal> = ConcurrentHashMap.newKeySet()

    /** For `OpenTelemetryRumBuilder.addSpanExporterCustomizer`. */
    public val spans: SpanExporter = object : SpanExporter {
        override fun export(spans: Collection<SpanData>): CompletableResultCode = store(OtlpSignal.TRACES) {
            spans.mapNotNull { span ->
                val isError = span.status.statusCode == StatusCode.ERROR
                val kind = if (isError) TelemetryKind.ERROR else TelemetryKind.TRACE
                priority(kind, span.instrumentationScopeInfo, span.spanContext.isSampled)?.let {
                    OtlpItem(span.resource, span.instrumentationScopeInfo, it, span.endEpochNanos, otlp(span))
                }
            }
        }

        override fun flush(): CompletableResultCode = this@OtlpExporters.flush()

        override fun shutdown(): CompletableResultCode = end(OtlpSignal.TRACES)
    }

    /** For `OpenTelemetryRumBuilder.addLogRecordExporterCustomizer`. */
    public val logRecords: LogRecordExporter = object : LogRecordExporter {
        override fun export(logs: Collection<LogRecordData>): CompletableResultCode = store(OtlpSignal.LOGS) {
            logs.mapNotNull { record ->
                priority(kind(record), record.instrumentationScopeInfo, record.spanContext.isSampled)?.let {
                    val time = maxOf(record.timestampEpochNanos, record.observedTimestampEpochNanos)
                    OtlpItem(record.resource, record.instrumentationScopeInfo, it, time, otlp(record))
                }
            }
        }

        override fun flush(): CompletableResultCode = this@OtlpExporters.flush()

        override fun shutdown(): CompletableResultCode = end(OtlpSignal.LOGS)
    }

    /** For `OpenTelemetryRumBuilder.addMetricExporterCustomizer`. Counters and histograms are deltas, as in Swift. */
    public val metrics: MetricExporter = object : MetricExporter {
        override fun getAggregationTemporality(instrumentType: InstrumentType): AggregationTemporality =
            AggregationTemporalitySelector.deltaPreferred().getAggregationTemporality(instrumentType)

        override fun export(metrics: Collection<MetricData>): CompletableResultCode = store(OtlpSignal.METRICS) {
            metrics.mapNotNull { metric ->
                priority(TelemetryKind.METRIC, metric.instrumentationScopeInfo, isSampled = true)?.let {
                    val time = metric.data.points.fold(0L) { latest, point -> maxOf(latest, point.epochNanos) }
                    OtlpItem(metric.resource, metric.instrumentationScopeInfo, it, time, otlp(metric))
                }
            }
        }

        override fun flush(): CompletableResultCode = this@OtlpExporters.flush()

        override fun shutdown(): CompletableResultCode = end(OtlpSignal.METRICS)
    }

    private fun kind(record: LogRecordData): TelemetryKind = when {
        record.eventName in CRASHES -> TelemetryKind.CRASH
        record.severity.severityNumber >= ERROR -> TelemetryKind.ERROR
        record.severity.severityNumber in DEBUG -> TelemetryKind.DEBUG
        else -> TelemetryKind.INFO
    }

    /** Returns the priority of a record; `null` if the policy does not admit it. */
    private fun priority(kind: TelemetryKind, scope: InstrumentationScopeInfo, isSampled: Boolean): UploadPriority? {
        val decision = policy.decision
        val isOfApp = !scope.name.startsWith(INSTRUMENTATION)
        if (!decision.admits(kind, isSampled, isOfApp, scope.name)) return null
        val admission = kind.admission(decision.mode, decision.admission, isOfApp)
        return if (admission == KindAdmission.AT_LOW_PRIORITY) UploadPriority.LOW else kind.priority
    }

    private fun store(signal: OtlpSignal, items: () -> List<OtlpItem>): CompletableResultCode {
        if (signal in ended) return CompletableResultCode.ofFailure()
        return try {
            val records = OtlpRequest.records(signal, items())
            val isStored = records.isEmpty() || scheduler.enqueue(records).unstored == 0
            if (isStored) CompletableResultCode.ofSuccess() else CompletableResultCode.ofFailure()
        } catch (failure: Exception) {
            onDiagnostic("Could not encode ${signal.path}, which are dropped: $failure")
            CompletableResultCode.ofFailure()
        }
    }

    private fun flush(): CompletableResultCode {
        scheduler.flush()
        return CompletableResultCode.ofSuccess()
    }

    /** Ends the exports of a signal. The queue and its scheduler go on, since they outlive a reconfiguration. */
    private fun end(signal: OtlpSignal): CompletableResultCode {
        ended += signal
        return CompletableResultCode.ofSuccess()
    }

    private companion object {
        /** Severity numbers of OTLP. */
        const val ERROR = 17
        val DEBUG = 1..8

        /** The names that opentelemetry-android gives to crashes, the present one and the next. */
        val CRASHES = setOf("device.crash", "app.crash")

        /** The names of instrumentations' scopes begin with it. */
        const val INSTRUMENTATION = "io.opentelemetry."
    }
}
