package astrolabe.otel

import astrolabe.wire.ProtobufWriter
import io.opentelemetry.sdk.metrics.data.AggregationTemporality
import io.opentelemetry.sdk.metrics.data.Data
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData
import io.opentelemetry.sdk.metrics.data.DoublePointData
import io.opentelemetry.sdk.metrics.data.ExemplarData
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData
import io.opentelemetry.sdk.metrics.data.GaugeData
import io.opentelemetry.sdk.metrics.data.HistogramData
import io.opentelemetry.sdk.metrics.data.HistogramPointData
import io.opentelemetry.sdk.metrics.data.LongExemplarData
import io.opentelemetry.sdk.metrics.data.LongPointData
import io.opentelemetry.sdk.metrics.data.MetricData
import io.opentelemetry.sdk.metrics.data.PointData
import io.opentelemetry.sdk.metrics.data.SumData
import io.opentelemetry.sdk.metrics.data.SummaryData
import io.opentelemetry.sdk.metrics.data.SummaryPointData

/** Returns `opentelemetry.proto.metrics.v1.Metric`. */
internal fun otlp(metric: MetricData): ByteArray = ProtobufWriter().apply {
    text(1, metric.name)
    text(2, metric.description)
    text(3, metric.unit)
    val data: Data<*> = metric.data
    when (data) {
        is GaugeData<*> -> message(5) { for (point in data.points) message(1) { numberPoint(point) } }
        is SumData<*> -> message(7) {
            for (point in data.points) message(1) { numberPoint(point) }
            number(2, number(data.aggregationTemporality))
            number(3, if (data.isMonotonic) 1 else 0)
        }
        is HistogramData -> message(9) {
            for (point in data.points) message(1) { histogramPoint(point) }
            number(2, number(data.aggregationTemporality))
        }
        is ExponentialHistogramData -> message(10) {
            for (point in data.points) message(1) { exponentialPoint(point) }
            number(2, number(data.aggregationTemporality))
        }
        is SummaryData -> message(11) { for (point in data.points) message(1) { summaryPoint(point) } }
    }
}.bytes

private fun number(temporality: AggregationTemporality): Long = when (temporality) {
    AggregationTemporality.DELTA -> 1
    AggregationTemporality.CUMULATIVE -> 2
}

private fun ProtobufWriter.times(point: PointData) {
    fixed(2, point.startEpochNanos)
    fixed(3, point.epochNanos)
}

private fun ProtobufWriter.numberPoint(point: PointData) {
    times(point)
    if (point is DoublePointData) double(4, point.value)
    exemplars(5, point)
    if (point is LongPointData) fixedMember(6, point.value)
    attributes(7, point.attributes)
}

private fun ProtobufWriter.histogramPoint(point: HistogramPointData) {
    times(point)
    fixed(4, point.count)
    double(5, point.sum)
    packedFixed(6, point.counts)
    packedFixed(7, point.boundaries.map { it.toRawBits() })
    exemplars(8, point)
    attributes(9, point.attributes)
    if (point.hasMin()) double(11, point.min)
    if (point.hasMax()) double(12, point.max)
}

private fun ProtobufWriter.exponentialPoint(point: ExponentialHistogramPointData) {
    attributes(1, point.attributes)
    times(point)
    fixed(4, point.count)
    double(5, point.sum)
    number(6, signed(point.scale))
    fixed(7, point.zeroCount)
    message(8) { buckets(point.positiveBuckets) }
    message(9) { buckets(point.negativeBuckets) }
    exemplars(11, point)
    if (point.hasMin()) double(12, point.min)
    if (point.hasMax()) double(13, point.max)
}

private fun ProtobufWriter.buckets(buckets: ExponentialHistogramBuckets) {
    number(1, signed(buckets.offset))
    packed(2, buckets.bucketCounts)
}

private fun ProtobufWriter.summaryPoint(point: SummaryPointData) {
    times(point)
    fixed(4, point.count)
    double(5, point.sum)
    for (quantile in point.values) message(6) {
        double(1, quantile.quantile)
        double(2, quantile.value)
    }
    attributes(7, point.attributes)
}

private fun ProtobufWriter.exemplars(field: Int, point: PointData) {
    for (exemplar: ExemplarData in point.exemplars) message(field) {
        fixed(2, exemplar.epochNanos)
        if (exemplar is DoubleExemplarData) double(3, exemplar.value)
        bytes(4, exemplar.spanContext.spanBytes)
        bytes(5, exemplar.spanContext.traceBytes)
        if (exemplar is LongExemplarData) fixedMember(6, exemplar.value)
        attributes(7, exemplar.filteredAttributes)
    }
}

/** A number of the type `sint32`. */
private fun signed(value: Int): Long = ((value shl 1) xor (value shr 31)).toLong() and 0xFFFF_FFFFL
