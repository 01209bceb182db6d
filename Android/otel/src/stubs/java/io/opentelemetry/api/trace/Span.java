package io.opentelemetry.api.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ImplicitContextKeyed;

public interface Span extends ImplicitContextKeyed {
    SpanContext getSpanContext();

    static Span wrap(SpanContext context) {
        return () -> context;
    }

    static Span fromContext(Context context) {
        return context instanceof WithSpan ? ((WithSpan) context).span : wrap(SpanContext.getInvalid());
    }

    @Override
    default Context storeInContext(Context context) {
        return new WithSpan(this);
    }
}
