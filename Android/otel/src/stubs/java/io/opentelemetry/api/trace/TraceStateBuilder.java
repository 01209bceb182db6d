package io.opentelemetry.api.trace;

public interface TraceStateBuilder {
    TraceStateBuilder put(String key, String value);

    TraceState build();
}
