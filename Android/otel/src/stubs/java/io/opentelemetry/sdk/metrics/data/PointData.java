package io.opentelemetry.sdk.metrics.data;

import io.opentelemetry.api.common.Attributes;
import java.util.List;

public interface PointData {
    long getStartEpochNanos();

    long getEpochNanos();

    Attributes getAttributes();

    List<? extends ExemplarData> getExemplars();
}
