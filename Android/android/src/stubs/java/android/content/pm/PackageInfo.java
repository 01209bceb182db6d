// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.content.pm;

public class PackageInfo {
    public String versionName;
    @Deprecated
    public int versionCode;

    @astrolabe.stubs.Since(28)
    public long getLongVersionCode() { throw new UnsupportedOperationException(); }
}
