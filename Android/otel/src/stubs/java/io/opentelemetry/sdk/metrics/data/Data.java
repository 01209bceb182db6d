package io.opentelemetry.sdk.metrics.data;

import java.util.Collection;

public interface Data<T extends PointData> {
    Collection<T> getPoints();
}
