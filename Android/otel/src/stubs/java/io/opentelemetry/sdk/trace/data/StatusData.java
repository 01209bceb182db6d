package io.opentelemetry.sdk.trace.data;

import io.opentelemetry.api.trace.StatusCode;

public interface StatusData {
    StatusCode getStatusCode();

    String getDescription();

    static StatusData unset() {
        return create(StatusCode.UNSET, "");
    }

    static StatusData create(StatusCode code, String description) {
        return new StatusData() {
            @Override
            public StatusCode getStatusCode() {
                return code;
            }

            @Override
            public String getDescription() {
                return description;
            }
        };
    }
}
