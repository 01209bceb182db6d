package io.opentelemetry.sdk.metrics.data;

public interface ExponentialHistogramData extends Data<ExponentialHistogramPointData> {
    AggregationTemporality getAggregationTemporality();
}
