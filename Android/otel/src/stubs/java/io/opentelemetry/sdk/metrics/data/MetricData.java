package io.opentelemetry.sdk.metrics.data;

import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;

public interface MetricData {
    Resource getResource();

    InstrumentationScopeInfo getInstrumentationScopeInfo();

    String getName();

    String getDescription();

    String getUnit();

    Data<?> getData();
}
