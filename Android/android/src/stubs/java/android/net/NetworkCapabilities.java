// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.net;

public final class NetworkCapabilities {
    public static final int NET_CAPABILITY_NOT_METERED = 11;
    @astrolabe.stubs.Since(30)
    public static final int NET_CAPABILITY_TEMPORARILY_NOT_METERED = 25;
    public static final int TRANSPORT_CELLULAR = 0;
    public static final int TRANSPORT_WIFI = 1;
    public static final int TRANSPORT_ETHERNET = 3;

    public boolean hasCapability(int capability) { throw new UnsupportedOperationException(); }
    public boolean hasTransport(int transport) { throw new UnsupportedOperationException(); }
}
