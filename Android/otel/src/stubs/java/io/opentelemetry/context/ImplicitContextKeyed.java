package io.opentelemetry.context;

public interface ImplicitContextKeyed {
    Context storeInContext(Context context);
}
