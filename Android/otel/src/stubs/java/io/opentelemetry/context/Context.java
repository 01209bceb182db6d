package io.opentelemetry.context;

public interface Context {
    static Context current() {
        return root();
    }

    static Context root() {
        return new Context() {};
    }

    default Context with(ImplicitContextKeyed value) {
        return value.storeInContext(this);
    }
}
