package io.opentelemetry.sdk.logs.data;

@Deprecated
public interface Body {
    static Body empty() {
        return new Body() {};
    }
}
