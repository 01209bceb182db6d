package io.opentelemetry.api.trace;

public enum SpanKind {
    INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER
}
