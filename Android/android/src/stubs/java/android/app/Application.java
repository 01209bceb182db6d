// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.app;

import android.os.Bundle;
import astrolabe.stubs.FakeDevice;

public class Application extends android.content.Context {
    public interface ActivityLifecycleCallbacks {
        void onActivityCreated(Activity activity, Bundle state);
        void onActivityStarted(Activity activity);
        void onActivityResumed(Activity activity);
        void onActivityPaused(Activity activity);
        void onActivityStopped(Activity activity);
        void onActivitySaveInstanceState(Activity activity, Bundle state);
        void onActivityDestroyed(Activity activity);
    }

    public void registerActivityLifecycleCallbacks(ActivityLifecycleCallbacks callbacks) {
        FakeDevice.called("registerActivityLifecycleCallbacks");
        FakeDevice.current.activityCallbacks.add(callbacks);
    }
}
