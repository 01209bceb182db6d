// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content;

public final class ComponentName {
    public ComponentName(Context context, Class<?> type) {}
}
