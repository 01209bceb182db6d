package io.opentelemetry.context.propagation;

public interface TextMapGetter<C> {
    Iterable<String> keys(C carrier);

    String get(C carrier, String key);
}
