package io.opentelemetry.sdk.trace.samplers;

public enum SamplingDecision {
    DROP, RECORD_ONLY, RECORD_AND_SAMPLE
}
