package io.opentelemetry.api.trace;

public enum StatusCode {
    UNSET, OK, ERROR
}
