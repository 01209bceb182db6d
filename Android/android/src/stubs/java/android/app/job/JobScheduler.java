// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.app.job;

import astrolabe.stubs.FakeDevice;

public abstract class JobScheduler {
    public static final int RESULT_SUCCESS = 1;

    public abstract int schedule(JobInfo job);

    /** Of the stub alone. */
    public static JobScheduler fake() {
        return new JobScheduler() {
            @Override public int schedule(JobInfo job) {
                FakeDevice.called("JobScheduler.schedule");
                FakeDevice.current.jobs.add(job);
                return RESULT_SUCCESS;
            }
        };
    }
}
