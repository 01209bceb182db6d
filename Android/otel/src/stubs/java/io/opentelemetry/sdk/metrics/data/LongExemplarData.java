package io.opentelemetry.sdk.metrics.data;

public interface LongExemplarData extends ExemplarData {
    long getValue();
}
