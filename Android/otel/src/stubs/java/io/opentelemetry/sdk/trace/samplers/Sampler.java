package io.opentelemetry.sdk.trace.samplers;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import java.util.List;

public interface Sampler {
    SamplingResult shouldSample(
            Context parentContext, String traceId, String name, SpanKind spanKind, Attributes attributes,
            List<LinkData> parentLinks);

    String getDescription();
}
