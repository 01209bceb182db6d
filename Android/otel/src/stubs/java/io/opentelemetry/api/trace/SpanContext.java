package io.opentelemetry.api.trace;

public interface SpanContext {
    String getTraceId();

    String getSpanId();

    TraceFlags getTraceFlags();

    TraceState getTraceState();

    boolean isRemote();

    default boolean isValid() {
        return !getTraceId().matches("0*") && !getSpanId().matches("0*");
    }

    default boolean isSampled() {
        return (getTraceFlags().asByte() & 1) != 0;
    }

    default byte[] getTraceIdBytes() {
        return Hexadecimal.bytes(getTraceId());
    }

    default byte[] getSpanIdBytes() {
        return Hexadecimal.bytes(getSpanId());
    }

    static SpanContext getInvalid() {
        return create(
                "00000000000000000000000000000000", "0000000000000000", TraceFlags.getDefault(),
                TraceState.getDefault());
    }

    static SpanContext create(String traceId, String spanId, TraceFlags flags, TraceState state) {
        return new SpanContext() {
            @Override
            public String getTraceId() {
                return traceId;
            }

            @Override
            public String getSpanId() {
                return spanId;
            }

            @Override
            public TraceFlags getTraceFlags() {
                return flags;
            }

            @Override
            public TraceState getTraceState() {
                return state;
            }

            @Override
            public boolean isRemote() {
                return false;
            }
        };
    }
}
