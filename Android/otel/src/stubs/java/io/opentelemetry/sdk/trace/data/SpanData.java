package io.opentelemetry.sdk.trace.data;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;

public interface SpanData {
    String getName();

    SpanKind getKind();

    SpanContext getSpanContext();

    SpanContext getParentSpanContext();

    StatusData getStatus();

    long getStartEpochNanos();

    Attributes getAttributes();

    List<EventData> getEvents();

    List<LinkData> getLinks();

    long getEndEpochNanos();

    boolean hasEnded();

    int getTotalRecordedEvents();

    int getTotalRecordedLinks();

    int getTotalAttributeCount();

    @Deprecated
    io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo();

    InstrumentationScopeInfo getInstrumentationScopeInfo();

    Resource getResource();
}
