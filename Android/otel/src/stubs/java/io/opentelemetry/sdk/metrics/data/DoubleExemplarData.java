package io.opentelemetry.sdk.metrics.data;

public interface DoubleExemplarData extends ExemplarData {
    double getValue();
}
