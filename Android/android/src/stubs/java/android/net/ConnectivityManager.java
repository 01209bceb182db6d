// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.net;

import astrolabe.stubs.FakeDevice;

public class ConnectivityManager {
    public static final String ACTION_RESTRICT_BACKGROUND_CHANGED = "android.net.conn.RESTRICT_BACKGROUND_CHANGED";
    public static final int RESTRICT_BACKGROUND_STATUS_ENABLED = 3;

    public static class NetworkCallback {
        public void onAvailable(Network network) {}
        @astrolabe.stubs.Since(29)
        public void onBlockedStatusChanged(Network network, boolean blocked) {}
        public void onCapabilitiesChanged(Network network, NetworkCapabilities capabilities) {}
        public void onLost(Network network) {}
    }

    public Network getActiveNetwork() {
        FakeDevice.called("getActiveNetwork");
        return FakeDevice.current.network;
    }
    public NetworkCapabilities getNetworkCapabilities(Network network) {
        FakeDevice.called("getNetworkCapabilities");
        return FakeDevice.current.capabilities;
    }
    public int getRestrictBackgroundStatus() {
        FakeDevice.called("getRestrictBackgroundStatus");
        return FakeDevice.current.restrictBackgroundStatus;
    }
    public void registerDefaultNetworkCallback(NetworkCallback callback) {
        FakeDevice.called("registerDefaultNetworkCallback");
        FakeDevice.current.networkCallbacks.add(callback);
    }
}
