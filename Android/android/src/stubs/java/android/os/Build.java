// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.os;

public class Build {
    public static final String BRAND = "example";
    public static final String FINGERPRINT = "example/one";
    public static final String MANUFACTURER = "Example";
    public static final String MODEL = "One";
    public static final String PRODUCT = "one";

    public static class VERSION {
        public static final String RELEASE = "14";
        /** On a device it is final. */
        public static int SDK_INT = 24;
    }

    public static class VERSION_CODES {
        public static final int O = 26;
        public static final int P = 28;
        public static final int Q = 29;
        public static final int UPSIDE_DOWN_CAKE = 34;
    }
}
