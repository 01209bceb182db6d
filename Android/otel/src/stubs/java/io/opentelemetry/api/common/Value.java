package io.opentelemetry.api.common;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

public interface Value<T> {
    T getValue();

    static Value<String> of(String value) {
        return () -> value;
    }

    static Value<Long> of(long value) {
        return () -> value;
    }

    static Value<ByteBuffer> of(byte[] value) {
        return () -> ByteBuffer.wrap(value).asReadOnlyBuffer();
    }

    static Value<List<Value<?>>> of(Value<?>... values) {
        return () -> Arrays.asList(values);
    }

    static Value<List<KeyValue>> of(KeyValue... values) {
        return () -> Arrays.asList(values);
    }
}
