package io.opentelemetry.api.trace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

public interface TraceState {
    Map<String, String> asMap();

    static TraceState getDefault() {
        return Collections::emptyMap;
    }

    static TraceStateBuilder builder() {
        return getDefault().toBuilder();
    }

    default TraceStateBuilder toBuilder() {
        Map<String, String> values = new LinkedHashMap<>(asMap());
        return new TraceStateBuilder() {
            @Override
            public TraceStateBuilder put(String key, String value) {
                Map<String, String> rest = new LinkedHashMap<>(values);
                values.clear();
                values.put(key, value);
                rest.forEach(values::putIfAbsent);
                return this;
            }

            @Override
            public TraceState build() {
                return () -> values;
            }
        };
    }
}
