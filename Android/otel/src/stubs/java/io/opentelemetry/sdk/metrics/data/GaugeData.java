package io.opentelemetry.sdk.metrics.data;

public interface GaugeData<T extends PointData> extends Data<T> {}
