package io.opentelemetry.sdk.metrics.data;

public interface SummaryData extends Data<SummaryPointData> {}
