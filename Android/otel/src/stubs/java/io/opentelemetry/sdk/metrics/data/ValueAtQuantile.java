package io.opentelemetry.sdk.metrics.data;

public interface ValueAtQuantile {
    double getQuantile();

    double getValue();
}
