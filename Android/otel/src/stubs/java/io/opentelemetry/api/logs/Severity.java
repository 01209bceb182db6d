package io.opentelemetry.api.logs;

public enum Severity {
    UNDEFINED_SEVERITY_NUMBER(0), DEBUG(5), INFO(9), WARN(13), ERROR(17), FATAL(21);

    private final int number;

    Severity(int number) {
        this.number = number;
    }

    public int getSeverityNumber() {
        return number;
    }
}
