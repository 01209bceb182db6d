"""Writes OTLP requests made of the official messages, with a description of each, into a folder.

    generate.py folder [count]

For each signal and number: `traces-0.bin` (protobuf), `traces-0.json` (OTLP/JSON) and `traces-0.canonical.json`. The
first of each signal has every field set; the others are drawn with a fixed seed.
"""

import base64
import json
import pathlib
import random
import sys

from google.protobuf.json_format import MessageToDict

import canonical

TEXTS = ["", "a", "GET", "https://shop.example/?currencyCode=EUR", "naïve", "日本語", "🔭 \" \\ / \n\t", "\0", "x" * 300]
KEYS = ["http.request.method", "url.full", "session.id", "k", "", "schlüssel", "demo.product.quantity", "a" * 200]
STATES = ["", "ot=th:8", "vendor=1,other@system=2"]
INTEGERS = [0, 1, -1, 127, 128, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63)]
DOUBLES = [0.0, -0.0, 0.1, -1.5, 1e-310, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")]
TIMES = [0, 1, 1_763_700_000_000_000_000, 2**64 - 1]
SMALL = [0, 1, 300, 2**32 - 1]


class Maker:
    """Fills messages; with `full` every field is set, otherwise each only sometimes."""

    def __init__(self, seed: int, full: bool):
        self.random = random.Random(seed)
        self.full = full

    def maybe(self) -> bool:
        return self.full or self.random.random() < 0.6

    def pick(self, choices):
        return self.random.choice(choices)

    def count(self, most: int) -> int:
        return most if self.full else self.random.randrange(most + 1)

    def attributes(self, pairs, most: int = 10, depth: int = 0) -> None:
        for _ in range(self.count(most)):
            pair = pairs.add()
            pair.key = self.pick(KEYS) + (str(self.random.randrange(100)) if self.full else "")
            self.value(pair.value, depth)

    def value(self, value, depth: int = 0) -> None:
        kind = self.random.randrange(8 if depth < 3 else 6)
        if kind == 0:
            value.string_value = self.pick(TEXTS)
        elif kind == 1:
            value.bool_value = self.pick([True, False])
        elif kind == 2:
            value.int_value = self.pick(INTEGERS)
        elif kind == 3:
            value.double_value = self.pick(DOUBLES)
        elif kind == 4:
            value.bytes_value = self.random.randbytes(self.random.randrange(40))
        elif kind == 6:
            value.array_value.SetInParent()
            for _ in range(self.random.randrange(4)):
                self.value(value.array_value.values.add(), depth + 1)
        elif kind == 7:
            value.kvlist_value.SetInParent()
            self.attributes(value.kvlist_value.values, 3, depth + 1)
        # 5 leaves the value empty.

    def some(self, message, field: str, choices) -> None:
        if self.maybe():
            setattr(message, field, self.pick(choices))

    def request(self, signal: str):
        request = canonical.REQUESTS[signal]()
        groups, scopes, fill = {
            "traces": ("resource_spans", "scope_spans", lambda scope: self.span(scope.spans.add())),
            "logs": ("resource_logs", "scope_logs", lambda scope: self.log_record(scope.log_records.add())),
            "metrics": ("resource_metrics", "scope_metrics", lambda scope: self.metric(scope.metrics.add())),
        }[signal]
        for _ in range(self.count(2)):
            group = getattr(request, groups).add()
            if self.maybe():
                self.attributes(group.resource.attributes)
                self.some(group.resource, "dropped_attributes_count", SMALL)
            self.some(group, "schema_url", TEXTS)
            for _ in range(self.count(2)):
                scope = getattr(group, scopes).add()
                if self.maybe():
                    self.some(scope.scope, "name", TEXTS)
                    self.some(scope.scope, "version", TEXTS)
                    self.attributes(scope.scope.attributes, 3)
                    self.some(scope.scope, "dropped_attributes_count", SMALL)
                self.some(scope, "schema_url", TEXTS)
                for _ in range(self.count(8)):
                    fill(scope)
        return request

    def span(self, span) -> None:
        span.trace_id = self.random.randbytes(16)
        span.span_id = self.random.randbytes(8)
        if self.maybe():
            span.parent_span_id = self.random.randbytes(8)
        self.some(span, "trace_state", STATES)
        self.some(span, "flags", [0, 1, 3, 0x101, 0x301, 2**32 - 1])
        self.some(span, "name", TEXTS)
        self.some(span, "kind", range(6))
        self.some(span, "start_time_unix_nano", TIMES)
        self.some(span, "end_time_unix_nano", TIMES)
        self.attributes(span.attributes, 24)
        self.some(span, "dropped_attributes_count", SMALL)
        for _ in range(self.count(3)):
            event = span.events.add()
            self.some(event, "time_unix_nano", TIMES)
            self.some(event, "name", TEXTS)
            self.attributes(event.attributes, 3)
            self.some(event, "dropped_attributes_count", SMALL)
        self.some(span, "dropped_events_count", SMALL)
        for _ in range(self.count(3)):
            link = span.links.add()
            if self.maybe():
                link.trace_id = self.random.randbytes(16)
                link.span_id = self.random.randbytes(8)
            self.some(link, "trace_state", STATES)
            self.some(link, "flags", [0, 1, 0x101, 0x301, 0x201])
            self.attributes(link.attributes, 3)
            self.some(link, "dropped_attributes_count", SMALL)
        self.some(span, "dropped_links_count", SMALL)
        if self.maybe():
            self.some(span.status, "code", range(3))
            self.some(span.status, "message", TEXTS)

    def log_record(self, record) -> None:
        self.some(record, "time_unix_nano", TIMES)
        self.some(record, "observed_time_unix_nano", TIMES)
        self.some(record, "severity_number", range(25))
        self.some(record, "severity_text", ["", "INFO", "ERROR", "trace"])
        self.some(record, "event_name", ["", "app.crash", "session.start"])
        if self.maybe():
            self.value(record.body)
        self.attributes(record.attributes)
        self.some(record, "dropped_attributes_count", SMALL)
        self.some(record, "flags", [0, 1, 0x103])
        if self.maybe():
            record.trace_id = self.random.randbytes(16)
            record.span_id = self.random.randbytes(8)

    def metric(self, metric) -> None:
        self.some(metric, "name", TEXTS)
        self.some(metric, "description", TEXTS)
        self.some(metric, "unit", ["", "s", "By", "{request}"])
        self.attributes(metric.metadata, 2)
        kind = self.random.randrange(6)
        if kind == 0:
            metric.gauge.SetInParent()
            for _ in range(self.count(4)):
                self.number_point(metric.gauge.data_points.add())
        elif kind == 1:
            self.some(metric.sum, "aggregation_temporality", range(3))
            self.some(metric.sum, "is_monotonic", [True, False])
            for _ in range(self.count(4)):
                self.number_point(metric.sum.data_points.add())
        elif kind == 2:
            self.some(metric.histogram, "aggregation_temporality", range(3))
            for _ in range(self.count(4)):
                self.histogram_point(metric.histogram.data_points.add())
        elif kind == 3:
            for _ in range(self.count(4)):
                self.exponential_point(metric.exponential_histogram.data_points.add())
        elif kind == 4:
            for _ in range(self.count(4)):
                self.summary_point(metric.summary.data_points.add())
        # 5 leaves the metric without data.

    def point(self, point) -> None:
        self.some(point, "start_time_unix_nano", TIMES)
        self.some(point, "time_unix_nano", TIMES)
        self.attributes(point.attributes, 4)
        if self.random.random() < 0.2:
            point.flags = 1

    def number_point(self, point) -> None:
        self.point(point)
        if self.random.random() < 0.5:
            point.as_int = self.pick(INTEGERS)
        elif self.random.random() < 0.9:
            point.as_double = self.pick(DOUBLES)
        self.exemplars(point)

    def exemplars(self, point) -> None:
        for _ in range(self.count(2)):
            exemplar = point.exemplars.add()
            exemplar.as_double = self.pick(DOUBLES)
            if self.maybe():
                exemplar.as_int = self.pick(INTEGERS)
            exemplar.time_unix_nano = self.pick(TIMES)
            exemplar.trace_id = self.random.randbytes(16)
            exemplar.span_id = self.random.randbytes(8)
            self.attributes(exemplar.filtered_attributes, 2)

    def histogram_point(self, point) -> None:
        self.point(point)
        self.some(point, "count", TIMES)
        for field in ("sum", "min", "max"):
            self.some(point, field, DOUBLES)
        if self.maybe():
            bounds = sorted(self.random.sample(range(-1000, 1000), self.random.randrange(20)))
            point.explicit_bounds.extend(bound / 8 for bound in bounds)
            point.bucket_counts.extend(self.pick(TIMES) for _ in range(len(bounds) + 1))
        self.exemplars(point)

    def exponential_point(self, point) -> None:
        self.point(point)
        point.scale = self.pick([-10, 0, 20])
        point.zero_count = 3
        self.some(point, "count", TIMES)
        for field in ("sum", "min", "max", "zero_threshold"):
            self.some(point, field, DOUBLES)
        point.positive.bucket_counts.extend(self.pick(TIMES) for _ in range(self.count(5)))
        point.negative.offset = self.pick([-3, 0, 200])
        point.negative.bucket_counts.extend([1, 2, 3])
        self.exemplars(point)

    def summary_point(self, point) -> None:
        self.point(point)
        self.some(point, "count", TIMES)
        self.some(point, "sum", DOUBLES)
        for _ in range(self.count(3)):
            quantile = point.quantile_values.add()
            quantile.quantile = 0.5
            quantile.value = self.pick(DOUBLES)


def hexadecimal_ids(value):
    """OTLP/JSON is protobuf's JSON, but for its ids."""
    if isinstance(value, dict):
        return {
            key: base64.b64decode(item).hex() if key in canonical.IDS else hexadecimal_ids(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [hexadecimal_ids(item) for item in value]
    return value


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    folder.mkdir(parents=True, exist_ok=True)
    for signal in canonical.REQUESTS:
        for number in range(count):
            request = Maker(seed=number, full=number == 0).request(signal)
            stem = folder / f"{signal}-{number}"
            stem.with_suffix(".bin").write_bytes(request.SerializeToString())
            as_json = hexadecimal_ids(MessageToDict(request, use_integers_for_enums=number % 2 == 0))
            stem.with_suffix(".json").write_text(
                json.dumps(as_json, ensure_ascii=number % 3 == 0, indent=None if number % 2 else 1), encoding="utf-8"
            )
            stem.with_suffix(".canonical.json").write_text(
                json.dumps(canonical.describe(signal, request)), encoding="utf-8"
            )


if __name__ == "__main__":
    main()
