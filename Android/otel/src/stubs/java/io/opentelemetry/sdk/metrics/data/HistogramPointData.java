package io.opentelemetry.sdk.metrics.data;

import java.util.List;

public interface HistogramPointData extends PointData {
    double getSum();

    long getCount();

    boolean hasMin();

    double getMin();

    boolean hasMax();

    double getMax();

    List<Double> getBoundaries();

    List<Long> getCounts();
}
