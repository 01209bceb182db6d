// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.app.job;

import android.content.ComponentName;

public class JobInfo {
    public static final int NETWORK_TYPE_ANY = 1;

    private final int id;
    private int networkType;

    private JobInfo(int id) { this.id = id; }

    public int getId() { return id; }
    public int getNetworkType() { return networkType; }

    public static final class Builder {
        private final JobInfo job;

        public Builder(int id, ComponentName service) { job = new JobInfo(id); }
        public Builder setRequiredNetworkType(int type) {
            job.networkType = type;
            return this;
        }
        public JobInfo build() { return job; }
    }
}
