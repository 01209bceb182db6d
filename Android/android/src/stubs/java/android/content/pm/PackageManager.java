// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.content.pm;

public abstract class PackageManager {
    public abstract PackageInfo getPackageInfo(String name, int flags);
}
