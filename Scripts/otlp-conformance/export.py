"""Exports one trace, one log record and one metric with the official SDK, over OTLP/HTTP in protobuf.

    export.py http://127.0.0.1:4318

Prints the trace id. Exits with 1 where the receiver refused anything.
"""

import logging
import sys

from opentelemetry import metrics, trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult


def main() -> int:
    (endpoint,) = sys.argv[1:]
    resource = Resource.create({"service.name": "python-sdk"})
    results = []

    class Checked(OTLPSpanExporter):
        def export(self, spans):
            result = super().export(spans)
            results.append(result is SpanExportResult.SUCCESS)
            return result

    tracing = TracerProvider(resource=resource)
    tracing.add_span_processor(
        SimpleSpanProcessor(Checked(endpoint=f"{endpoint}/v1/traces", compression=Compression.Gzip))
    )
    trace.set_tracer_provider(tracing)
    logs = LoggerProvider(resource=resource)
    logs.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(endpoint=f"{endpoint}/v1/logs")))
    set_logger_provider(logs)
    logger = logging.getLogger("python-sdk")
    logger.addHandler(LoggingHandler(logger_provider=logs))
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoint=f"{endpoint}/v1/metrics"))
    metering = MeterProvider(resource=resource, metric_readers=[reader])
    metrics.set_meter_provider(metering)

    with trace.get_tracer("conformance").start_as_current_span(
        "parent", attributes={"text": "one", "whole": 2, "real": 3.5, "truth": True, "list": ["a", "b"]}
    ) as parent:
        with trace.get_tracer("conformance").start_as_current_span("child") as child:
            child.add_event("happened", {"key": "value"})
            child.record_exception(ValueError("expected"))
            logger.warning("a line of the official SDK")
        trace_id = format(parent.get_span_context().trace_id, "032x")
    metrics.get_meter("conformance").create_counter("conformance.items", unit="{item}").add(7)
    flushed = metering.force_flush()
    print(trace_id)
    return 0 if flushed and results == [True, True] else 1


if __name__ == "__main__":
    sys.exit(main())
