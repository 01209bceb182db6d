package io.opentelemetry.sdk.trace.data;

import io.opentelemetry.api.common.Attributes;

public interface EventData {
    String getName();

    Attributes getAttributes();

    long getEpochNanos();

    int getTotalAttributeCount();
}
