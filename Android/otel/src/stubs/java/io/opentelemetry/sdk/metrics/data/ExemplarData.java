package io.opentelemetry.sdk.metrics.data;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;

public interface ExemplarData {
    Attributes getFilteredAttributes();

    long getEpochNanos();

    SpanContext getSpanContext();
}
