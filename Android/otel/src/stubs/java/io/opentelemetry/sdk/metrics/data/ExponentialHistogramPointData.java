package io.opentelemetry.sdk.metrics.data;

public interface ExponentialHistogramPointData extends PointData {
    int getScale();

    double getSum();

    long getCount();

    long getZeroCount();

    boolean hasMin();

    double getMin();

    boolean hasMax();

    double getMax();

    ExponentialHistogramBuckets getPositiveBuckets();

    ExponentialHistogramBuckets getNegativeBuckets();
}
