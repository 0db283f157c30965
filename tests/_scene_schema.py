"""What a scene can say, as the manual and the solvers' traits have it; and what a scene does say, in the same words.

A feature is `domain.cell`, `solids[].size@box` (that key with that shape), `solids[].shape=box`, `output.surface=ply`,
`volume.contact=ghost`. scene/manual_test.c holds the manual's tables against the schema, so that reading them is reading it.
"""
import pathlib
import re
from collections import namedtuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOLVERS = ("surface", "volume", "apic", "shallow", "splash")

Key = namedtuple("Key", "name value shapes")

# Where a table's block stands in a scene, and what tells its shape.
PLACES = {"scene": "", "domain": "domain", "liquid": "liquid", "material": "materials[]", "solid": "solids[]", "drop": "drops[]",
          "source": "sources[]", "sink": "sinks[]", "event": "events[]", "output": "output", "camera": "camera", "light": "lights[]",
          "look": "look[]", "rotation": "solids[].rotate", "keyframe": "solids[].keyframes[]"}
SHAPE_KEYS = {"solid": "shape", "drop": "shape", "source": "shape", "sink": "shape", "event": "kind"}
NAMED = ("materials", "look")  # mappings of names to blocks
CONTAINERS = {"domain", "materials", "solids", "drops", "sources", "sinks", "events", "output", "camera", "lights", "look"}
SIDES = ("left", "right", "floor", "ceiling", "back", "front", "others")


def manual_tables():
    """Name of a table to its keys."""
    text = (ROOT / "docs/manual/scene.md").read_text()
    tables = {}
    for name, body in re.findall(r"<!-- table (\w+) -->\n(.*?)<!-- end -->", text, re.S):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in body.strip().splitlines()]
        has_shapes = len(rows[0]) > 4 and rows[0][3] in ("shapes", "kinds")
        tables[name] = [Key(row[0].strip("`"), row[1], row[3].split(", ") if has_shapes and row[3] != "all" else [])
                        for row in rows[2:]]
    return tables


def source_text(*folders):
    return {path: path.read_text() for folder in folders for path in sorted((ROOT / folder).rglob("*_traits.c"))}


def choices_of(text):
    """Name of an array of words in C to its words."""
    found = re.findall(r"const char \*const (\w+)\[\] = \{(.*?)\}", text, re.S)
    return {name: re.findall(r'"([^"]*)"', body) for name, body in found}


def parameters():
    """Features of the solvers' blocks."""
    shared = (ROOT / "src/solvers/free_surface/parameters.h").read_text()
    features = set()
    for path, text in source_text("src/solvers").items():
        solver = path.parent.name
        lists = choices_of(text)
        body = text[text.index("parameters[] = {"):text.index("unsupported[] = {")]
        if "DEW_LIQUID_PARAMETERS" in body:
            body += shared
        rows = re.split(r"\.name\s*=\s*", body)[1:]
        for row in rows:
            name = re.match(r'"(\w+)"', row)[1]
            features.add(f"{solver}.{name}")
            listed = re.search(r"\.choices = (\w+)", row)
            features |= {f"{solver}.{name}={word}" for word in lists[listed[1]]} if listed else set()
            features |= {f"{solver}.{name}={word}" for word in ("true", "false")} if "KEY_FLAG" in row else set()
    return features


def unsupported():
    """Solver to the paths that it does not take."""
    return {path.parent.name: re.findall(r'^\s*\{"([^"]+)",', text, re.M) for path, text in source_text("src/solvers").items()}


def table_features(table, keys, liquids):
    place = PLACES[table]
    dot = place + "." if place else ""
    features = set()
    shape_key = SHAPE_KEYS.get(table)
    for key in keys:
        if key.name == shape_key:
            continue
        if not place and (key.name in CONTAINERS or key.name == "solver"):
            continue
        features |= {f"{dot}{key.name}@{shape}" for shape in key.shapes} or {dot + key.name}
        features |= {f"{dot}{key.name}={word}" for word in re.findall(r"`(\w+)`", key.value)}
        features |= {f"{dot}{key.name}={word}" for word in ("true", "false")} if key.value == "true or false" else set()
        features |= {f"{dot}{shape_key}={shape}" for shape in key.shapes}
    features |= {f"liquid={name}" for name in liquids} if table == "scene" else set()
    features |= {f"domain.walls.{side}" for side in SIDES} | {"domain.walls.others=open"} if table == "domain" else set()
    return features


def is_refused(feature, paths):
    for path in paths:
        if feature == path or feature.startswith((path + "@", path + "=", path + ".")):
            return True
        block, _, shape = path.partition("=")
        if shape and feature.startswith(block.rpartition(".")[0]) and feature.endswith("@" + shape):
            return True
    return False


def all_features():
    """Features to be had, by solver. A solver has its own block; the others' are kept but not its affair."""
    tables = manual_tables()
    liquids = [key.name for key in tables["liquids"]]
    common = set()
    for name in PLACES:
        common |= table_features(name, tables[name], liquids)
    own, refused = parameters(), unsupported()
    return {solver: {f for f in common | {k for k in own if k.startswith(solver + ".")} if not is_refused(f, refused[solver])}
            for solver in SOLVERS}


# ---- what a scene says -------------------------------------------------------------------------

def words_of(value):
    return str(value).lower() if isinstance(value, bool) else value


def said_by_block(place, block, shape_key, schema_keys):
    shape = block.get(shape_key) if shape_key else None
    said = set()
    for key, value in block.items():
        if key == shape_key:
            said.add(f"{place}{key}={value}")
            continue
        rows = [k for k in schema_keys if k.name == key]
        has_shapes = any(k.shapes for k in rows)
        said.add(f"{place}{key}@{shape}" if has_shapes else place + key)
        if isinstance(value, (bool, str)):
            said.add(f"{place}{key}={words_of(value)}")
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            said |= {f"{place}{key}={word}" for word in value}
        if key == "rotate":
            said |= {f"solids[].rotate.{k}" for k in value}
        if key == "keyframes":
            for frame in value:
                said |= said_by_block("solids[].keyframes[].", frame, None, [])
        if key == "walls":
            said |= {f"domain.walls.{side}" for side in value} | {f"domain.walls.{side}={name}" for side, name in value.items()}
    return said


def said(scene):
    """The features of a scene."""
    tables = manual_tables_once()
    features = set()
    for key, value in scene.items():
        if key in SOLVERS:
            features |= said_by_block(key + ".", value, None, [])
        elif key == "liquid":
            features |= {"liquid", f"liquid={value}"} if isinstance(value, str) else \
                {"liquid"} | said_by_block("liquid.", value, None, [])
        elif key not in CONTAINERS:
            features |= {key, f"{key}={words_of(value)}"} if isinstance(value, (bool, str)) else {key}
        else:
            table = next(t for t, p in PLACES.items() if p in (key, key + "[]"))
            blocks = value.values() if key in NAMED else value if isinstance(value, list) else [value]
            for block in blocks:
                features |= said_by_block(PLACES[table] + ".", block, SHAPE_KEYS.get(table), tables[table])
    return features


_tables = {}


def manual_tables_once():
    if not _tables:
        _tables.update(manual_tables())
    return _tables
