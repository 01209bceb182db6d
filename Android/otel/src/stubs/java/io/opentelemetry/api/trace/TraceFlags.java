package io.opentelemetry.api.trace;

public interface TraceFlags {
    byte asByte();

    static TraceFlags getDefault() {
        return () -> 0;
    }

    static TraceFlags getSampled() {
        return () -> 1;
    }
}
