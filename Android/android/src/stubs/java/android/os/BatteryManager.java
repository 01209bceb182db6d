// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.os;

public class BatteryManager {
    public static final int BATTERY_PROPERTY_CAPACITY = 4;
    public static final String EXTRA_LEVEL = "level";
    public static final String EXTRA_SCALE = "scale";
    public static final String EXTRA_STATUS = "status";

    public int getIntProperty(int id) { throw new UnsupportedOperationException(); }
    public boolean isCharging() { throw new UnsupportedOperationException(); }
}
