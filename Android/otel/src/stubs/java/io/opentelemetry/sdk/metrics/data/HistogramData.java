package io.opentelemetry.sdk.metrics.data;

public interface HistogramData extends Data<HistogramPointData> {
    AggregationTemporality getAggregationTemporality();
}
