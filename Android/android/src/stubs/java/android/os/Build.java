// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.os;

public class Build {
    public static final String BRAND = null;
    public static final String FINGERPRINT = null;
    public static final String MANUFACTURER = null;
    public static final String MODEL = null;
    public static final String PRODUCT = null;

    public static class VERSION {
        public static final String RELEASE = null;
        public static final int SDK_INT = Integer.parseInt("24");
    }

    public static class VERSION_CODES {
        public static final int P = 28;
        public static final int Q = 29;
    }
}
