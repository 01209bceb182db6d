"""Exports one trace, one log record and one metric with the official SDK, in protobuf.

    export.py http none http://127.0.0.1:4318
    export.py grpc gzip http://127.0.0.1:4317

Prints the trace id. Exits with 1 where the receiver refused anything.
"""

import logging
import os
import sys

from opentelemetry import metrics, trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult


def http_exporters(endpoint: str):
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return (
        OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces"),
        OTLPLogExporter(endpoint=f"{endpoint}/v1/logs"),
        OTLPMetricExporter(endpoint=f"{endpoint}/v1/metrics"),
    )


def grpc_exporters(endpoint: str):
    from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    settings = {"endpoint": endpoint, "insecure": True}
    return OTLPSpanExporter(**settings), OTLPLogExporter(**settings), OTLPMetricExporter(**settings)


def main() -> int:
    protocol, compression, endpoint = sys.argv[1:]
    if compression != "none":
        os.environ["OTEL_EXPORTER_OTLP_COMPRESSION"] = compression
    exporters = {"http": http_exporters, "grpc": grpc_exporters}[protocol]
    span_exporter, log_exporter, metric_exporter = exporters(endpoint)
    resource = Resource.create({"service.name": "python-sdk"})
    results = []
    export = span_exporter.export

    def checked(spans):
        result = export(spans)
        results.append(result is SpanExportResult.SUCCESS)
        return result

    span_exporter.export = checked
    tracing = TracerProvider(resource=resource)
    tracing.add_span_processor(SimpleSpanProcessor(span_exporter))
    trace.set_tracer_provider(tracing)
    logs = LoggerProvider(resource=resource)
    logs.add_log_record_processor(SimpleLogRecordProcessor(log_exporter))
    set_logger_provider(logs)
    logger = logging.getLogger("python-sdk")
    logger.addHandler(LoggingHandler(logger_provider=logs))
    reader = PeriodicExportingMetricReader(metric_exporter)
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
