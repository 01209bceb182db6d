package io.opentelemetry.sdk.common;

import io.opentelemetry.api.common.Attributes;

public abstract class InstrumentationScopeInfo {
    public static InstrumentationScopeInfo create(String name) {
        return new InstrumentationScopeInfo() {
            @Override
            public String getName() {
                return name;
            }
        };
    }

    InstrumentationScopeInfo() {}

    public abstract String getName();

    public String getVersion() {
        return null;
    }

    public String getSchemaUrl() {
        return null;
    }

    public Attributes getAttributes() {
        return Attributes.empty();
    }
}
