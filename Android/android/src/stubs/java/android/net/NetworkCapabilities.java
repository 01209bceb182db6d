// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.net;

import java.util.HashSet;
import java.util.Set;

public final class NetworkCapabilities {
    public static final int NET_CAPABILITY_NOT_METERED = 11;
    @astrolabe.stubs.Since(30)
    public static final int NET_CAPABILITY_TEMPORARILY_NOT_METERED = 25;
    public static final int TRANSPORT_CELLULAR = 0;
    public static final int TRANSPORT_WIFI = 1;
    public static final int TRANSPORT_ETHERNET = 3;

    private final Set<Integer> transports = new HashSet<>();
    private final Set<Integer> capabilities = new HashSet<>();

    public boolean hasCapability(int capability) { return capabilities.contains(capability); }
    public boolean hasTransport(int transport) { return transports.contains(transport); }

    /** Of the stub alone. */
    public static NetworkCapabilities fake(int transport, boolean isMetered) {
        NetworkCapabilities fake = new NetworkCapabilities();
        fake.transports.add(transport);
        if (!isMetered) fake.capabilities.add(NET_CAPABILITY_NOT_METERED);
        return fake;
    }
}
