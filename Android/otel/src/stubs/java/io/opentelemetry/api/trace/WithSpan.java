package io.opentelemetry.api.trace;

import io.opentelemetry.context.Context;

/** Is not in opentelemetry-java: a context with nothing but a span. */
final class WithSpan implements Context {
    final Span span;

    WithSpan(Span span) {
        this.span = span;
    }
}
