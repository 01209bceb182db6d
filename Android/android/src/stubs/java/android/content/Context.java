// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import astrolabe.stubs.FakeDevice;
import java.io.File;

public class Context {
    public static final String ACTIVITY_SERVICE = "activity";
    public static final String CONNECTIVITY_SERVICE = "connectivity";
    public static final String JOB_SCHEDULER_SERVICE = "jobscheduler";
    public static final String POWER_SERVICE = "power";
    public static final String TELEPHONY_SERVICE = "phone";

    public Context getApplicationContext() { return this; }
    public ContentResolver getContentResolver() { return null; }
    public File getNoBackupFilesDir() {
        FakeDevice.called("getNoBackupFilesDir");
        return FakeDevice.current.noBackupFolder;
    }
    public PackageManager getPackageManager() {
        return new PackageManager() {
            @Override public PackageInfo getPackageInfo(String name, int flags) {
                FakeDevice.called("getPackageInfo");
                return new PackageInfo();
            }
        };
    }
    public String getPackageName() { return "com.example.shop"; }
    public android.content.res.Resources getResources() {
        FakeDevice.called("getResources");
        return new android.content.res.Resources();
    }
    public Object getSystemService(String name) {
        FakeDevice.called("getSystemService " + name);
        return FakeDevice.current.services.get(name);
    }
    public void registerComponentCallbacks(ComponentCallbacks callbacks) {
        FakeDevice.called("registerComponentCallbacks");
        FakeDevice.current.componentCallbacks.add((ComponentCallbacks2) callbacks);
    }
    /** Without a receiver it returns the broadcast that sticks; Android does so with one, too. */
    public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
        String action = filter.getAction(0);
        FakeDevice.called("registerReceiver " + action);
        if (receiver != null) FakeDevice.current.receivers.put(action, receiver);
        return action.equals(Intent.ACTION_BATTERY_CHANGED) ? FakeDevice.current.battery : null;
    }
}
