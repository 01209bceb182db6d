// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.os;

import astrolabe.stubs.FakeDevice;

public final class PowerManager {
    public static final String ACTION_POWER_SAVE_MODE_CHANGED = "android.os.action.POWER_SAVE_MODE_CHANGED";

    @astrolabe.stubs.Since(29)
    public interface OnThermalStatusChangedListener {
        void onThermalStatusChanged(int status);
    }

    public boolean isPowerSaveMode() {
        FakeDevice.called("isPowerSaveMode");
        return FakeDevice.current.isPowerSaveMode;
    }
    @astrolabe.stubs.Since(29)
    public int getCurrentThermalStatus() {
        FakeDevice.called("getCurrentThermalStatus");
        return FakeDevice.current.thermalStatus;
    }
    @astrolabe.stubs.Since(29)
    public void addThermalStatusListener(OnThermalStatusChangedListener listener) {
        FakeDevice.called("addThermalStatusListener");
        FakeDevice.current.thermalListeners.add(listener::onThermalStatusChanged);
    }
}
