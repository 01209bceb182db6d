"""Prints OTLP requests with every field of the protobuf definition set, and each field with its value.

A field that OTLP adds appears with the packages' version that has it, and the console's test then asks for it. Members
of a oneof are spread over several elements, so that all of them are set.
"""

import json
import sys

import canonical
from google.protobuf.descriptor import FieldDescriptor as Field

ENUMS = {"SpanKind": 3, "StatusCode": 2, "SeverityNumber": 17, "AggregationTemporality": 2}
# Values that have a meaning of their own, or a range.
FIXED = {
    "flags": 2,
    "spans.flags": 0x303,
    "links.flags": 0x303,
    "log_records.flags": 3,
    "scale": 5,
    "explicit_bounds": [0.5],
    "quantile": 0.5,
    "severity_text": "Fatal",
}
PRIMITIVES = (Field.TYPE_MESSAGE, Field.TYPE_GROUP)


class Filler:
    def __init__(self) -> None:
        self.count = 0
        self.fields: list[list[str]] = []

    def fill(self, message, path: str, choice: int = 0) -> None:
        for field in message.DESCRIPTOR.fields:
            oneof = field.containing_oneof
            if oneof is not None and len(oneof.fields) > 1 and oneof.fields[choice % len(oneof.fields)] is not field:
                continue
            where = f"{path}.{field.name}" if path else field.name
            if field.type not in PRIMITIVES:
                self.scalar(message, field, where)
            elif field.message_type.name == "KeyValue":
                self.attributes(getattr(message, field.name), where)
            elif field.message_type.name == "AnyValue":
                self.value(getattr(message, field.name), 0, where)
            elif field.is_repeated:
                for number in range(self.choices(field.message_type)):
                    self.fill(getattr(message, field.name).add(), where, number)
            else:
                getattr(message, field.name).SetInParent()
                self.fill(getattr(message, field.name), where)

    @staticmethod
    def choices(descriptor) -> int:
        return max([1] + [len(oneof.fields) for oneof in descriptor.oneofs])

    def scalar(self, message, field, where: str) -> None:
        values = self.values(field, where)
        if field.is_repeated:
            getattr(message, field.name).extend(values)
        else:
            setattr(message, field.name, values[0])
        for value in values:
            self.fields.append([where, value.hex() if isinstance(value, bytes) else str(value)])

    def values(self, field, where: str) -> list:
        self.count += 1
        number = self.count
        parent, _, name = where.rpartition(".")
        for key in (f"{parent.rpartition('.')[2]}.{name}", name):
            if key in FIXED:
                return FIXED[key] if isinstance(FIXED[key], list) else [FIXED[key]]
        if name == "bucket_counts":
            return [2**53 + number, 7]
        if field.type == Field.TYPE_STRING:
            return [f"k{number}=v" if name == "trace_state" else f"text {number}"]
        if field.type == Field.TYPE_BYTES:
            return [bytes([number % 256]) * {"trace_id": 16, "bytes_value": 3}.get(name, 8)]
        if field.type == Field.TYPE_DOUBLE:
            return [number + 0.5]
        if field.type == Field.TYPE_BOOL:
            return [True]
        if field.type == Field.TYPE_ENUM:
            return [ENUMS[field.enum_type.name]]
        if name.endswith("time_unix_nano"):
            return [1_790_000_000_000_000_000 + number * 1_001]
        if field.type in (Field.TYPE_FIXED64, Field.TYPE_SFIXED64, Field.TYPE_UINT64, Field.TYPE_INT64):
            return [2**53 + number]
        return [number]

    def attributes(self, pairs, where: str) -> None:
        """One attribute for each kind of value, named after it."""
        value = pairs.add().value
        members = value.DESCRIPTOR.oneofs[0].fields
        del pairs[:]
        for index, member in enumerate(members):
            pair = pairs.add()
            pair.key = member.name
            self.value(pair.value, index, f"{where}/{member.name}")

    def value(self, value, index: int, where: str) -> None:
        member = value.DESCRIPTOR.oneofs[0].fields[index]
        if member.name == "array_value":
            value.array_value.values.add().int_value = index
            self.fields.append([where, str(index)])
        elif member.name == "kvlist_value":
            pair = value.kvlist_value.values.add()
            pair.key = "k"
            pair.value.int_value = index
            self.fields.append([f"{where}.k", str(index)])
        else:
            content = self.values(member, f"{where.rpartition('/')[0]}.{member.name}")[0]
            setattr(value, member.name, content)
            text = content.hex() if isinstance(content, bytes) else str(content)
            self.fields.append([where, text.lower() if isinstance(content, bool) else text])


def main() -> None:
    described = {}
    for signal, request in canonical.REQUESTS.items():
        filler = Filler()
        message = request()
        filler.fill(message, "")
        described[signal] = {"protobuf": message.SerializeToString().hex(), "fields": filler.fields}
    json.dump(described, sys.stdout)


if __name__ == "__main__":
    main()
