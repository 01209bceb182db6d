package io.opentelemetry.sdk.trace.data;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;

public interface LinkData {
    SpanContext getSpanContext();

    Attributes getAttributes();

    int getTotalAttributeCount();
}
