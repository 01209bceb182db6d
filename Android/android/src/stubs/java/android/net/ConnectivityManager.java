// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.net;

public class ConnectivityManager {
    public static final int RESTRICT_BACKGROUND_STATUS_ENABLED = 3;

    public static class NetworkCallback {
        public void onCapabilitiesChanged(Network network, NetworkCapabilities capabilities) {}
        public void onLost(Network network) {}
    }

    public Network getActiveNetwork() { throw new UnsupportedOperationException(); }
    public NetworkCapabilities getNetworkCapabilities(Network network) { throw new UnsupportedOperationException(); }
    public int getRestrictBackgroundStatus() { throw new UnsupportedOperationException(); }
    public void registerDefaultNetworkCallback(NetworkCallback callback) { throw new UnsupportedOperationException(); }
}
