package io.opentelemetry.sdk.metrics.data;

public enum AggregationTemporality {
    DELTA, CUMULATIVE
}
