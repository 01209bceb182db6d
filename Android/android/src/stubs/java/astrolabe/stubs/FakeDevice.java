package astrolabe.stubs;

import android.app.ActivityManager;
import android.app.Application;
import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.content.BroadcastReceiver;
import android.content.ComponentCallbacks2;
import android.content.Context;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.os.PowerManager;
import android.telephony.TelephonyManager;
import java.io.File;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;

/** The device that the stubs play: what they return, what has been registered with them, and which calls fail. */
public final class FakeDevice {
    public static FakeDevice current = new FakeDevice();

    /** The calls that throw. */
    public final Map<String, RuntimeException> failures = new HashMap<>();
    public final Set<String> calls = new LinkedHashSet<>();
    public final List<String> log = new ArrayList<>();
    public final Map<String, Object> services = new HashMap<>();

    public Network network = new Network();
    public NetworkCapabilities capabilities = NetworkCapabilities.fake(NetworkCapabilities.TRANSPORT_WIFI, false);
    public int restrictBackgroundStatus = 1;
    public Intent battery = new Intent();
    public boolean isPowerSaveMode;
    public int thermalStatus;
    public long totalMemory = 4L << 30;
    public boolean isMemoryLow;
    public int importance = ActivityManager.RunningAppProcessInfo.IMPORTANCE_FOREGROUND;
    public Integer bootCount = 7;
    public File noBackupFolder;

    public final List<ConnectivityManager.NetworkCallback> networkCallbacks = new ArrayList<>();
    public final List<Application.ActivityLifecycleCallbacks> activityCallbacks = new ArrayList<>();
    public final List<ComponentCallbacks2> componentCallbacks = new ArrayList<>();
    public final Map<String, BroadcastReceiver> receivers = new HashMap<>();
    public final List<IntConsumer> thermalListeners = new ArrayList<>();
    public final List<JobInfo> jobs = new ArrayList<>();
    public final BlockingQueue<Boolean> jobsFinished = new LinkedBlockingQueue<>();

    public long elapsedMilliseconds = 1_000_000;
    private final List<Work> posted = new ArrayList<>();

    private static final class Work {
        final long time;
        final Runnable body;

        Work(long time, Runnable body) {
            this.time = time;
            this.body = body;
        }
    }

    public FakeDevice() {
        services.put(Context.ACTIVITY_SERVICE, new ActivityManager());
        services.put(Context.CONNECTIVITY_SERVICE, new ConnectivityManager());
        services.put(Context.JOB_SCHEDULER_SERVICE, JobScheduler.fake());
        services.put(Context.POWER_SERVICE, new PowerManager());
        services.put(Context.TELEPHONY_SERVICE, new TelephonyManager());
    }

    /** Notes a call; throws if it is one that fails. */
    public static void called(String name) {
        current.calls.add(name);
        RuntimeException failure = current.failures.get(name);
        if (failure != null) throw failure;
    }

    public void post(Runnable work, long milliseconds) {
        posted.add(new Work(elapsedMilliseconds + milliseconds, work));
    }

    /** Runs what the main thread has to do in the next milliseconds. */
    public void advance(long milliseconds) {
        long end = elapsedMilliseconds + milliseconds;
        while (true) {
            Work next = posted.stream().min(Comparator.comparingLong(work -> work.time)).orElse(null);
            if (next == null || next.time > end) break;
            posted.remove(next);
            elapsedMilliseconds = next.time;
            next.body.run();
        }
        elapsedMilliseconds = end;
    }
}
