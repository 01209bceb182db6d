package io.opentelemetry.sdk.metrics.data;

public interface SumData<T extends PointData> extends Data<T> {
    boolean isMonotonic();

    AggregationTemporality getAggregationTemporality();
}
