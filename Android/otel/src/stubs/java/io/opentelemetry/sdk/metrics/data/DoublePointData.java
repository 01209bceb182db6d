package io.opentelemetry.sdk.metrics.data;

public interface DoublePointData extends PointData {
    double getValue();
}
