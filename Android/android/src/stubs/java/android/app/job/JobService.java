// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.app.job;

import astrolabe.stubs.FakeDevice;

public abstract class JobService extends android.app.Service {
    public abstract boolean onStartJob(JobParameters parameters);
    public abstract boolean onStopJob(JobParameters parameters);
    public final void jobFinished(JobParameters parameters, boolean wantsReschedule) {
        FakeDevice.current.jobsFinished.add(wantsReschedule);
    }
}
