package io.opentelemetry.sdk.common;

public final class CompletableResultCode {
    private final boolean isSuccess;

    private CompletableResultCode(boolean isSuccess) {
        this.isSuccess = isSuccess;
    }

    public static CompletableResultCode ofSuccess() {
        return new CompletableResultCode(true);
    }

    public static CompletableResultCode ofFailure() {
        return new CompletableResultCode(false);
    }

    public boolean isSuccess() {
        return isSuccess;
    }
}
