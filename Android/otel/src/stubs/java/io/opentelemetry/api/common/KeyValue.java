package io.opentelemetry.api.common;

public interface KeyValue {
    String getKey();

    Value<?> getValue();

    static KeyValue of(String key, Value<?> value) {
        return new KeyValue() {
            @Override
            public String getKey() {
                return key;
            }

            @Override
            public Value<?> getValue() {
                return value;
            }
        };
    }
}
