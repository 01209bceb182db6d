package io.opentelemetry.api.impl;

import io.opentelemetry.context.Context;

public final class InstrumentationUtil {
    private static final ThreadLocal<Boolean> SUPPRESSED = ThreadLocal.withInitial(() -> false);

    private InstrumentationUtil() {}

    public static void suppressInstrumentation(Runnable runnable) {
        SUPPRESSED.set(true);
        try {
            runnable.run();
        } finally {
            SUPPRESSED.set(false);
        }
    }

    public static boolean shouldSuppressInstrumentation(Context context) {
        return SUPPRESSED.get();
    }
}
