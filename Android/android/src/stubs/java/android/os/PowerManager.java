// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.os;

public final class PowerManager {
    public static final String ACTION_POWER_SAVE_MODE_CHANGED = "android.os.action.POWER_SAVE_MODE_CHANGED";

    @astrolabe.stubs.Since(29)
    public interface OnThermalStatusChangedListener {
        void onThermalStatusChanged(int status);
    }

    public boolean isPowerSaveMode() { throw new UnsupportedOperationException(); }
    @astrolabe.stubs.Since(29)
    public int getCurrentThermalStatus() { throw new UnsupportedOperationException(); }
    @astrolabe.stubs.Since(29)
    public void addThermalStatusListener(OnThermalStatusChangedListener listener) {
        throw new UnsupportedOperationException();
    }
}
