package io.opentelemetry.sdk.trace.samplers;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.TraceState;

public interface SamplingResult {
    SamplingDecision getDecision();

    Attributes getAttributes();

    default TraceState getUpdatedTraceState(TraceState parentTraceState) {
        return parentTraceState;
    }

    static SamplingResult recordAndSample() {
        return create(SamplingDecision.RECORD_AND_SAMPLE);
    }

    static SamplingResult drop() {
        return create(SamplingDecision.DROP);
    }

    static SamplingResult create(SamplingDecision decision) {
        return new SamplingResult() {
            @Override
            public SamplingDecision getDecision() {
                return decision;
            }

            @Override
            public Attributes getAttributes() {
                return Attributes.empty();
            }
        };
    }
}
