// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.telephony;

import astrolabe.stubs.FakeDevice;

public class TelephonyManager {
    public String getNetworkOperatorName() {
        FakeDevice.called("getNetworkOperatorName");
        return "Carrier";
    }
}
