package io.opentelemetry.sdk.metrics.data;

import java.util.List;

public interface SummaryPointData extends PointData {
    long getCount();

    double getSum();

    List<ValueAtQuantile> getValues();
}
