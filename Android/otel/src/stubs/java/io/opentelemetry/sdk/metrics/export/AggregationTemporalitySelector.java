package io.opentelemetry.sdk.metrics.export;

import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;

public interface AggregationTemporalitySelector {
    AggregationTemporality getAggregationTemporality(InstrumentType instrumentType);

    static AggregationTemporalitySelector deltaPreferred() {
        return type -> type == InstrumentType.UP_DOWN_COUNTER || type == InstrumentType.OBSERVABLE_UP_DOWN_COUNTER
                ? AggregationTemporality.CUMULATIVE : AggregationTemporality.DELTA;
    }
}
