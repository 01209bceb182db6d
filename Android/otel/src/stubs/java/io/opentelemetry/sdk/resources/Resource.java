package io.opentelemetry.sdk.resources;

import io.opentelemetry.api.common.Attributes;

public abstract class Resource {
    public static Resource create(Attributes attributes) {
        return new Resource() {
            @Override
            public Attributes getAttributes() {
                return attributes;
            }
        };
    }

    Resource() {}

    public abstract Attributes getAttributes();

    public String getSchemaUrl() {
        return null;
    }
}
