// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content.pm;

public class PackageInfo {
    public String versionName = "1.4.0";
    @Deprecated
    public int versionCode = 42;

    @astrolabe.stubs.Since(28)
    public long getLongVersionCode() { return 42; }
}
