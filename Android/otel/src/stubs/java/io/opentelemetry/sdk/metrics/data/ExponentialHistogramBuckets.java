package io.opentelemetry.sdk.metrics.data;

import java.util.List;

public interface ExponentialHistogramBuckets {
    int getOffset();

    List<Long> getBucketCounts();
}
