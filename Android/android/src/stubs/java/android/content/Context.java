// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.content;

public class Context {
    public static final String ACTIVITY_SERVICE = "activity";
    public static final String BATTERY_SERVICE = "batterymanager";
    public static final String CONNECTIVITY_SERVICE = "connectivity";
    public static final String POWER_SERVICE = "power";
    public static final String TELEPHONY_SERVICE = "phone";

    public Context getApplicationContext() { throw new UnsupportedOperationException(); }
    public ContentResolver getContentResolver() { throw new UnsupportedOperationException(); }
    public android.content.pm.PackageManager getPackageManager() { throw new UnsupportedOperationException(); }
    public String getPackageName() { throw new UnsupportedOperationException(); }
    public android.content.res.Resources getResources() { throw new UnsupportedOperationException(); }
    public Object getSystemService(String name) { throw new UnsupportedOperationException(); }
    public void registerComponentCallbacks(ComponentCallbacks callbacks) { throw new UnsupportedOperationException(); }
    public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
        throw new UnsupportedOperationException();
    }
    @astrolabe.stubs.Since(28)
    public java.util.concurrent.Executor getMainExecutor() { throw new UnsupportedOperationException(); }
}
