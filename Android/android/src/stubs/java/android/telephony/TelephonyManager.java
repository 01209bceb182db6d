// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.telephony;

public class TelephonyManager {
    public String getNetworkOperatorName() { throw new UnsupportedOperationException(); }
}
