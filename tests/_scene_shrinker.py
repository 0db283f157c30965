"""Makes a scene that fails smaller, as long as it fails in the same way."""
import copy
import decimal
import pathlib
import re
import shutil
import tempfile

import _scene_generator as generator
from _scene_judge import judge

NEEDED = {"solver", "domain", "duration", "shape", "kind", "frame_rate"}


def paths_of(value, path=()):
    """Every place in the scene, deepest last."""
    yield path
    if isinstance(value, dict):
        for key in list(value):
            yield from paths_of(value[key], path + (key,))
    elif isinstance(value, list):
        for i in range(len(value)):
            yield from paths_of(value[i], path + (i,))


def at(scene, path):
    for key in path:
        scene = scene[key]
    return scene


def without(scene, path):
    made = copy.deepcopy(scene)
    del at(made, path[:-1])[path[-1]]
    return made


def replaced(scene, path, value):
    made = copy.deepcopy(scene)
    at(made, path[:-1])[path[-1]] = value
    return made


def removals(scene):
    """Places that can be taken out, large parts first, the last of a list before those that it would shift."""
    paths = [p for p in paths_of(scene) if p and p[-1] not in NEEDED]
    paths = [p for p in paths if not isinstance(p[-1], int) or isinstance(at(scene, p), dict)]  # no component of a vector
    return [(path, (None,)) for path in sorted(reversed(paths), key=len)]


def simpler(value):
    """Simpler values than a number or a text with a unit."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    short = [float(f"{value:.1g}"), float(f"{value:.2g}"), float(f"{value:.4g}")]
    return [v for v in dict.fromkeys([0.0] + short) if v != value and len(repr(v)) < len(repr(value))]


def simplifications(scene):
    found = [(path, simpler(at(scene, path))) for path in paths_of(scene) if path and path != ("duration",)]
    return [(path, values) for path, values in found if values]


def shortenings(scene):
    duration = scene["duration"]
    return [(("duration",), [share * duration for share in (0.1, 0.3, 0.6, 0.8)])] if isinstance(duration, (int, float)) else []


def without_units(value):
    """Texts with a unit as SI numbers."""
    if isinstance(value, dict):
        return {key: without_units(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_units(item) for item in value]
    number, _, unit = value.partition(" ") if isinstance(value, str) else ("", "", "")
    powers = [power for units in generator.UNITS.values() for name, power in units if name == unit]
    try:
        return float(decimal.Decimal(number).scaleb(-powers[0])) if powers else value
    except decimal.InvalidOperation:
        return value


def edited(scene, path, value):
    """The scene with another value at a place; None: without it."""
    try:
        return without(scene, path) if value is None else replaced(scene, path, value)
    except (KeyError, IndexError, TypeError):
        return None  # the place is gone already


class Shrinker:
    def __init__(self, dew, folder, kind, extras, limit_s, runs, choice):
        self.dew, self.folder, self.kind, self.extras, self.limit_s = dew, folder, kind, extras, limit_s
        self.left, self.choice = runs, choice

    def fails(self, scene):
        """Does it fail in the same way?"""
        self.left -= 1
        path = generator.write_scene(scene, self.folder)
        try:
            result = judge(self.dew, path, scene, self.folder, self.extras, self.choice, self.limit_s)
        except (KeyError, TypeError, ValueError):
            return False
        finally:
            for name in ("run", "threads", "resumed"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
        return any(fault.kind == self.kind for fault in result.faults)

    def pass_over(self, scene, edits):
        """(the smaller scene, whether it got smaller)."""
        is_smaller = False
        for path, values in edits(scene):
            for value in values:
                candidate = edited(scene, path, value)
                if self.left > 0 and candidate is not None and self.fails(candidate):
                    scene, is_smaller = candidate, True
                    break
        return scene, is_smaller

    def shrink(self, scene):
        bare = without_units(scene)
        scene = bare if self.fails(bare) else scene
        again = True
        while again and self.left > 0:
            again = False
            for edits in (shortenings, removals, simplifications):
                scene, is_smaller = self.pass_over(scene, edits)
                again |= is_smaller
        return scene


def shrink(dew, scene, source_folder, target_folder, fault, extras=(), limit_s=None, runs=150, choice=0.5):
    """Writes the smallest scene that was found, with the files that it names, to target_folder."""
    needed = tuple(extra for extra in extras if extra == fault.kind)
    with tempfile.TemporaryDirectory(prefix="dew_shrink.") as scratch:
        folder = pathlib.Path(scratch)
        for path in pathlib.Path(source_folder).iterdir():
            if path.is_file() and path.name != "scene.yaml":
                shutil.copy(path, folder)
        small = Shrinker(dew, folder, fault.kind, needed, limit_s, runs, choice).shrink(scene)
        target_folder.mkdir(parents=True, exist_ok=True)
        words = re.sub(r"\S*/(?=\S+\.yaml)", "", " ".join(fault.words.split()))[:200]
        generator.write_scene(small, target_folder, f"{fault.kind}: {words}" + (f"\nextras: {' '.join(needed)}" if needed else ""))
        text = (target_folder / "scene.yaml").read_text()
        for path in folder.iterdir():
            if path.is_file() and path.name != "scene.yaml" and f'"{path.name}"' in text:
                shutil.copy(path, target_folder)
    return small
