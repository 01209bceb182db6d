// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.app;

public class Activity extends android.content.Context {
    public boolean isChangingConfigurations() { throw new UnsupportedOperationException(); }
}
