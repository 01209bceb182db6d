// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.content.res;

public class Resources {
    public Configuration getConfiguration() { throw new UnsupportedOperationException(); }
    public android.util.DisplayMetrics getDisplayMetrics() { throw new UnsupportedOperationException(); }
}
