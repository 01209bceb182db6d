// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content.res;

public class Resources {
    public Configuration getConfiguration() { return new Configuration(); }
    public android.util.DisplayMetrics getDisplayMetrics() { return new android.util.DisplayMetrics(); }
}
