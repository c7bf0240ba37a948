#!/usr/bin/env python3
"""validate_json.py SCHEMA FILE...: checks JSON files against a JSON Schema, and that the schema
leaves nothing open.

Exit status: 0 all agree, 1 they do not (each disagreement is named), 77 jsonschema is missing.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def find_open_objects(schema, place="#"):
    """Objects that would accept any further key, so that nobody would notice one."""
    if isinstance(schema, list):
        for index, part in enumerate(schema):
            yield from find_open_objects(part, f"{place}/{index}")
    if not isinstance(schema, dict):
        return
    if "properties" in schema and schema.get("additionalProperties") is not False:
        yield place
    for key, part in schema.items():
        yield from find_open_objects(part, f"{place}/{key}")


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    breaches = [f"{sys.argv[1]}: {place} has no \"additionalProperties\": false"
                for place in find_open_objects(schema)]
    for path in sys.argv[2:]:
        document = json.loads(pathlib.Path(path).read_text())
        for error in validator(schema).iter_errors(document):
            # Behind a choice between forms, the reason is in the form that fits best.
            best = jsonschema.exceptions.best_match([error])
            breaches.append(f"{path}: {best.json_path}: {best.message}")
    for breach in breaches:
        print(breach)
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
