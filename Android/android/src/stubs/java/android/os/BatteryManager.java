// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.os;

public class BatteryManager {
    public static final String EXTRA_LEVEL = "level";
    public static final String EXTRA_PLUGGED = "plugged";
    public static final String EXTRA_SCALE = "scale";
    public static final String EXTRA_STATUS = "status";
}
