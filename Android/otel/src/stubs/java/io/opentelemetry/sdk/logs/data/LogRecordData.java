package io.opentelemetry.sdk.logs.data;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;

public interface LogRecordData {
    Resource getResource();

    InstrumentationScopeInfo getInstrumentationScopeInfo();

    long getTimestampEpochNanos();

    long getObservedTimestampEpochNanos();

    SpanContext getSpanContext();

    Severity getSeverity();

    String getSeverityText();

    @Deprecated
    Body getBody();

    default Value<?> getBodyValue() {
        return null;
    }

    Attributes getAttributes();

    int getTotalAttributeCount();

    default String getEventName() {
        return null;
    }
}
