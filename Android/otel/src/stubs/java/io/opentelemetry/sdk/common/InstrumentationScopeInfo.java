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

    @Override
    public boolean equals(Object other) {
        return other instanceof InstrumentationScopeInfo
                && ((InstrumentationScopeInfo) other).getName().equals(getName());
    }

    @Override
    public int hashCode() {
        return getName().hashCode();
    }

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
