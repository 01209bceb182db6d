package io.opentelemetry.sdk.metrics.data;

public interface LongPointData extends PointData {
    long getValue();
}
