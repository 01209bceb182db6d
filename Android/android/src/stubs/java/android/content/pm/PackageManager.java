// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content.pm;

public abstract class PackageManager {
    public static class NameNotFoundException extends Exception {}

    public abstract PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException;
}
