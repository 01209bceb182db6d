package io.opentelemetry.sdk.common;

@Deprecated
public abstract class InstrumentationLibraryInfo {
    public static InstrumentationLibraryInfo empty() {
        return new InstrumentationLibraryInfo() {};
    }

    InstrumentationLibraryInfo() {}
}
