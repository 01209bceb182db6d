package io.opentelemetry.api.common;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

public interface Attributes {
    Map<AttributeKey<?>, Object> asMap();

    default void forEach(BiConsumer<? super AttributeKey<?>, ? super Object> consumer) {
        asMap().forEach(consumer);
    }

    default int size() {
        return asMap().size();
    }

    static Attributes empty() {
        return Collections::emptyMap;
    }

    static AttributesBuilder builder() {
        return new AttributesBuilder() {
            private final Map<AttributeKey<?>, Object> values = new LinkedHashMap<>();

            @Override
            public Attributes build() {
                Map<AttributeKey<?>, Object> copy = new LinkedHashMap<>(values);
                return () -> copy;
            }

            private AttributesBuilder with(String key, Object value) {
                values.put(AttributeKey.stringKey(key), value);
                return this;
            }

            @Override
            public AttributesBuilder put(String key, String value) {
                return with(key, value);
            }

            @Override
            public AttributesBuilder put(String key, long value) {
                return with(key, value);
            }

            @Override
            public AttributesBuilder put(String key, double value) {
                return with(key, value);
            }

            @Override
            public AttributesBuilder put(String key, boolean value) {
                return with(key, value);
            }

            @Override
            public AttributesBuilder put(String key, String... values) {
                return with(key, java.util.Arrays.asList(values));
            }
        };
    }
}
