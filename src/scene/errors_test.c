// Errors: for each kind of slip one diagnostic, with file, line, path and what would be right.
#include <stdlib.h>

#include "base/testing.h"
#include "scene/scene_testing.h"

typedef struct Slip {
    const char *text;
    const char *words;  // all that the log hears, without the newline; "..." at the end: begins so
} Slip;

static void expect(const char *text, const char *set, const char *words)
{
    TestLog log;
    dew_Scene *scene = NULL;
    dew_Status status = test_read(text, set, NULL, &log, &scene);
    size_t length = strlen(words);
    bool is_open = length > 3 && strcmp(words + length - 3, "...") == 0;
    size_t compared = is_open ? length - 3 : length;
    char *line_end = strchr(log.lines, '\n');
    bool is_right = strncmp(log.lines, words, compared) == 0 &&
                    (is_open || (line_end && line_end == log.lines + length));
    if (status.code != DEW_BAD_INPUT || log.count != 1 || scene || !is_right)
        fail_msg("%s%s\nwanted %s\n   got %s", text, set ? set : "", words, log.lines);
    if (strncmp(status.message, log.lines, strlen(status.message)) != 0)
        fail_msg("the status says %s", status.message);
}

static void expect_all(const Slip *slips, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(slips[i].text, NULL, slips[i].words);
}
#define EXPECT_ALL(slips) expect_all(slips, sizeof(slips) / sizeof((slips)[0]))

#define AT(line) "scene.yaml:" #line ": "

static void test_top(void **state)
{
    (void)state;
    static const Slip slips[] = {
        {"", "scene.yaml: the scene is empty (a scene is a mapping of solver, domain, drops, ...)"},
        {"- 1\n", AT(1) "no scene (a scene is a mapping..."},
        {"hello\n", AT(1) "no scene..."},
        {"\tsolver: volume\n", AT(1) "a tab indents this line (use spaces)"},
        {"a: [\n", AT(2) "not YAML: ..."},
        {TEST_HEAD TEST_DROP "durasion: 1 s\n",
         AT(4) "durasion: unknown key (did you mean duration?)"},
        {TEST_HEAD TEST_DROP "xyzzy: 1\n", AT(4) "xyzzy: unknown key (dew, title, solver, ..."},
        {TEST_HEAD TEST_DROP "volum: {}\n", AT(4) "volum: unknown key (did you mean volume?)"},
        {TEST_HEAD TEST_DROP "solver: volume\n", AT(4) "solver: given twice (first on line 1)"},
        {TEST_HEAD, AT(1) "there is no liquid (give drops or sources)"},
        {TEST_HEAD "drops: []\nsources:\n", AT(1) "there is no liquid (give drops or sources)"},
        {TEST_HEAD "drop: [{shape: sphere, radius: 1}]\n",
         AT(3) "drop: unknown key (did you mean drops?)"},
        {TEST_HEAD TEST_DROP "dew: 2\n",
         AT(4) "dew: format 2 is not known to this version of dew (1 is)"},
        {TEST_HEAD TEST_DROP "duration: 0 s\n", AT(4) "duration: \"0 s\" is below 1e-09 s"},
        {TEST_HEAD TEST_DROP "duration: 5e-324 s\n",
         AT(4) "duration: \"5e-324 s\" is below 1e-09 s"},
        {TEST_HEAD TEST_DROP "duration: 1 mm\n",
         AT(4) "duration: \"1 mm\" is a length, but a time is wanted (such as 0.5 s)"},
        {TEST_HEAD TEST_DROP "duration: inf s\n", AT(4) "duration: \"inf s\" is infinite..."},
        {TEST_HEAD TEST_DROP "duration: .nan\n", AT(4) "duration: NaN is no quantity..."},
        {TEST_HEAD TEST_DROP "duration:\n",
         AT(4) "duration: expected a time such as 0.5 s, found no value"},
        {TEST_HEAD TEST_DROP "duration: [1]\n",
         AT(4) "duration: expected a time such as 0.5 s, found a list"},
        {TEST_HEAD TEST_DROP "frame_rate: -5 Hz\n", AT(4) "frame_rate: \"-5 Hz\" is not above 0"},
        {TEST_HEAD TEST_DROP "frame_rate: 1 MHz\nduration: 1 h\n",
         AT(4) "frame_rate: 3.6e+09 frames are more than 1e+07..."},
        {TEST_HEAD TEST_DROP "seed: -1\n", AT(4) "seed: \"-1\" is not a whole number from 0 to..."},
        {TEST_HEAD TEST_DROP "seed: 18446744073709551616\n", AT(4) "seed: ..."},
        {TEST_HEAD TEST_DROP "dimensions: 4\n", AT(4) "dimensions: \"4\" is not between 1 and 3"},
        {TEST_HEAD TEST_DROP "dimensions: 2.5\n",
         AT(4) "dimensions: \"2.5\" is not a whole number"},
        {TEST_HEAD TEST_DROP "title: \"a\\nb\"\n",
         AT(4) "title: \"a b\" has a control character..."},
        {TEST_HEAD TEST_DROP "gravity: 9.81\n",
         AT(4) "gravity: expected three numbers [x, y, z], found a value"},
        {TEST_HEAD TEST_DROP "gravity: [0, -9.81]\n",
         AT(4) "gravity: expected three numbers [x, y, z], found a list of 2"},
        {TEST_HEAD TEST_DROP "gravity: [0, [1], 0]\n",
         AT(4) "gravity[1]: expected an acceleration..."},
        {TEST_HEAD TEST_DROP "wind: [0, 3 m, 0]\n",
         AT(4) "wind[1]: \"3 m\" is a length, but a speed..."},
        {TEST_HEAD TEST_DROP "liquid: watr\n",
         AT(4) "liquid: unknown liquid \"watr\" (did you mean water?)"},
        {TEST_HEAD TEST_DROP "liquid: {density: 0}\n",
         AT(4) "liquid.density: \"0\" is not above 0"},
        {TEST_HEAD TEST_DROP "liquid: {preset: milkk}\n", AT(4) "liquid.preset: unknown liquid..."},
        {TEST_HEAD TEST_DROP "liquid: {viscosity: 1 cSt}\n",
         AT(4) "liquid.viscosity: unknown unit \"cSt\"..."},
        {TEST_HEAD TEST_DROP "environment: skyy\n",
         AT(4) "environment: unknown \"skyy\", and no file (did you mean sky?)"},
        {TEST_HEAD TEST_DROP "environment: probe.jpg\n",
         AT(4) "environment: \"probe.jpg\" is neither..."},
        {TEST_HEAD TEST_DROP "drops: 3\n", AT(4) "drops: given twice (first on line 3)"},
        {TEST_HEAD "drops: 3\n", AT(3) "drops: expected a list, found a value"},
        {TEST_HEAD "drops: [3]\n",
         AT(3) "drops[0]: expected a mapping {shape: ...}, found a value"},
    };
    EXPECT_ALL(slips);
}

static void test_domain_and_solver(void **state)
{
    (void)state;
#define DOMAIN(rest) "solver: volume\n" TEST_DROP "domain: {" rest "}\n"
    static const Slip slips[] = {
        {"solver: volume\n" TEST_DROP, AT(1) "domain is missing (the box that is simulated)"},
        {"domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n" TEST_DROP,
         AT(1) "solver is missing (volume, surface, apic, shallow or splash)"},
        {"sover: volume\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n" TEST_DROP,
         AT(1) "sover: unknown key (did you mean solver?)"},
        {"solver: volum\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n" TEST_DROP,
         AT(1) "solver: unknown solver \"volum\" (did you mean volume?)"},
        {"solver: lattice\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n" TEST_DROP,
         AT(1) "solver: unknown solver \"lattice\" (volume, surface, apic, shallow or splash)"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1]"),
         AT(3) "domain: cell is missing (a length, such as 2 mm)"},
        {DOMAIN("min: [0, 0, 0], cell: 1 mm"),
         AT(3) "domain: max is missing ([x, y, z]: highest corner)"},
        {DOMAIN("min: [0, 2, 0], max: [1, 1, 1], cell: 0.1"),
         AT(3) "domain.max: its y, 1 m, is not above min's, 2 m"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 2"),
         AT(3) "domain.cell: 2 m is larger than the domain along x, 1 m"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 0"),
         AT(3) "domain.cell: \"0\" is not above 0"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 1e-6"),
         AT(3) "domain.cell: 1e+06 x 1e+06 x 1e+06 = 1e+18 cells are more than can be addressed (a "
               "cell of 1e-05 m or more)"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 1e-300"),
         AT(3) "domain.cell: 1e+300 x 1e+300 x 1e+300 = inf cells are more than can be addressed "
               "(a cell of 1e-05 m or more)"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 0.1, walls: {floor: steel}"),
         AT(3) "domain.walls.floor: no material \"steel\" (none is defined in materials)"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 0.1, walls: {others: steel}"),
         AT(3) "domain.walls.others: no material \"steel\"..."},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 0.1, walls: {flor: open}"),
         AT(3) "domain.walls.flor: unknown side (did you mean floor?)"},
        {DOMAIN("min: [0, 0, 0], max: [1, 1, 1], cell: 0.1, walls: glass"),
         AT(3) "domain.walls: expected a mapping {floor: glass, others: open}, found a value"},
        {DOMAIN("min: [0, 0, 1e300], max: [1, 1, 1], cell: 0.1"),
         AT(3) "domain.min[2]: \"1e300\" is above 1e+09 m"},
        {TEST_HEAD TEST_DROP "dimensions: 1\n",
         AT(4) "dimensions: solver volume does not work in 1 (in 2 or 3)"},
        {TEST_HEAD TEST_DROP "volume: {contact: gost}\n",
         AT(4) "volume.contact: unknown \"gost\" (did you mean ghost?)"},
        {TEST_HEAD TEST_DROP "volume: {cfl: 0}\n", AT(4) "volume.cfl: \"0\" is not above 0"},
        {TEST_HEAD TEST_DROP "volume: {clf: 1}\n",
         AT(4) "volume.clf: unknown key (did you mean cfl?)"},
        {TEST_HEAD TEST_DROP "volume: 3\n", AT(4) "volume: expected a mapping, found a value"},
        {TEST_HEAD TEST_DROP "surface: {x: 3}\n", AT(4) "surface.x: unknown key (it has none)"},
        {TEST_HEAD TEST_DROP "shallow: {model: levelset}\n",
         AT(4) "shallow.model: unknown \"levelset\" (did you mean level-set?)"},
        {TEST_HEAD TEST_DROP "output: {surface: plyy}\n",
         AT(4) "output.surface: unknown \"plyy\" (did you mean ply?)"},
        {TEST_HEAD TEST_DROP "output: {wetmap: maybe}\n",
         AT(4) "output.wetmap: \"maybe\" is neither true nor false"},
        {TEST_HEAD TEST_DROP "output: {attributes: [drop, agee]}\n",
         AT(4) "output.attributes[1]: unknown \"agee\" (did you mean age?)"},
        {TEST_HEAD TEST_DROP "output: {attributes: drop}\n",
         AT(4) "output.attributes: expected a list such as [drop]"},
        {TEST_HEAD TEST_DROP "output: {checkpoint_every: -1 s}\n",
         AT(4) "output.checkpoint_every: \"-1 s\" is below 0"},
    };
    EXPECT_ALL(slips);
}

static void test_rejected(void **state)
{
    (void)state;
#define SURFACE "solver: surface\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n"
    static const Slip slips[] = {
        {SURFACE TEST_DROP "output: {volume: vdb}\n",
         AT(4) "solver surface does not take output.volume: it has no grid (use volume, apic, "
               "shallow or splash)"},
        {SURFACE TEST_DROP "wind: [1, 0, 0]\n",
         AT(4) "solver surface does not take wind: it feels no air..."},
        {SURFACE "drops:\n- {shape: sphere, radius: 1 mm}\n- {shape: depth, file: d.csv}\n",
         AT(5) "solver surface does not take drops[1].shape=depth: depth is a height field's (use "
               "shallow)"},
        {SURFACE TEST_DROP "materials: {a: {slip: 1 mm}}\n",
         AT(4) "solver surface does not take materials.a.slip: ..."},
        {SURFACE TEST_DROP "sinks:\n- {min: [0, 0, 0], max: [1, 1, 1]}\n",
         AT(4) "solver surface does not take sinks: ..."},
        {SURFACE TEST_DROP "dimensions: 2\n",
         AT(4) "dimensions: solver surface does not work in 2 (in 3)"},
        {"solver: surface\nmaterials: {a: {angle: 1}}\n" TEST_DROP "domain:\n  min: [0, 0, 0]\n"
         "  max: [1, 1, 1]\n  cell: 0.1\n  walls: {floor: a,\n    ceiling: a}\n",
         AT(9) "solver surface does not take domain.walls.ceiling: ..."},
        {SURFACE TEST_DROP "materials: {b: {angle: 1}}\nsolids:\n- shape: plane\n  affinity_map: "
                           "m.png\n  affinity_material: b\n",
         AT(7) "solver surface does not take solids[0].affinity_map: ..."},
    };
    EXPECT_ALL(slips);
    // Given, but as the default: nothing to refuse.
    dew_Scene *scene = NULL;
    dew_Status status =
        test_read(SURFACE TEST_DROP "wind: [0, 0, 0]\noutput: {volume: none}\nsinks: []\n"
                                    "materials: {a: {slip: 0}}\n",
                  NULL, NULL, NULL, &scene);
    assert_int_equal(status.code, DEW_OK);
    dew_scene_destroy(scene);
}

static void expect_lines(const char *text, const char *set, const char *lines)
{
    TestLog log;
    dew_Scene *scene = NULL;
    dew_Status status = test_read(text, set, NULL, &log, &scene);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_string_equal(log.lines, lines);
    assert_memory_equal(status.message, lines, strlen(status.message));
}

static void test_unsupported_keys_tell_the_given_key(void **state)
{
    (void)state;
#define SPLASH  "solver: splash\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1}\n" TEST_DROP
#define REFUSED "solver splash does not take materials.a."
#define WHY     ": its solids do not wet (use volume, surface, apic or shallow)\n"
    // One key stands for three, or is the default of two: it alone is reported.
    expect_lines(SPLASH "materials: {a: {angle: 1}}\n", NULL, AT(4) REFUSED "angle" WHY);
    expect_lines(SPLASH "materials: {a: {advancing: 1}}\n", NULL, AT(4) REFUSED "advancing" WHY);
    expect_lines(SPLASH, "materials.a.angle=1", "--set materials.a.angle=1: " REFUSED "angle" WHY);
    // Given keys are reported in the order of lines and not of the solver's list.
    expect_lines(SPLASH "materials:\n  a:\n    advancing: 1\n    receding: 0.5\n", NULL,
                 AT(6) REFUSED "advancing" WHY AT(7) REFUSED "receding" WHY);
}

static void test_order_of_lines(void **state)
{
    (void)state;
    static const char text[] =
        "seed: x\nsolver: surface\nwind: [1, 0, 0]\n"
        "domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.1, walls: {floor: oak}}\n"
        "sinks:\n- {min: [0, 0, 0], max: [1, 1, 1]}\n" TEST_DROP "title: [1]\n";
    static const char *const begins[] = {AT(1) "seed: ",
                                         AT(3) "solver surface does not take wind",
                                         AT(4) "domain.walls.floor: no material",
                                         AT(5) "solver surface does not take sinks",
                                         AT(8) "title: expected a text, found a list",
                                         "--set duration=1 m: duration: \"1 m\" is a length"};
    TestLog log;
    dew_Scene *scene = NULL;
    dew_Status status = test_read(text, "duration=1 m", NULL, &log, &scene);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_memory_equal(status.message, begins[0], strlen(begins[0]));
    assert_int_equal(log.count, 6);
    const char *line = log.lines;
    for (int i = 0; i < 6; i++) {
        assert_memory_equal(line, begins[i], strlen(begins[i]));
        line = strchr(line, '\n') + 1;
    }
}

#define MATERIAL(words) TEST_HEAD TEST_DROP "materials: {a: {" words "}}\n"
#define SOLID(words)    TEST_HEAD TEST_DROP "solids: [{" words "}]\n"
#define DROP(words)     TEST_HEAD "drops: [{" words "}]\n"
#define SOURCE(words)   TEST_HEAD TEST_DROP "sources: [{" words "}]\n"
#define CAMERA(words)   TEST_HEAD TEST_DROP "camera: {" words "}\n"

static void test_materials(void **state)
{
    (void)state;
    static const Slip slips[] = {
        {MATERIAL("advancing: 60 deg, receding: 90 deg"),
         AT(4) "materials.a.receding: 90 deg is above the advancing angle, 60 deg (at most that)"},
        {MATERIAL("advancing: 90 deg, receding: 60 deg, wet_advancing: 100 deg"),
         AT(4) "materials.a.wet_advancing: 100 deg is not between receding and advancing, 60 and "
               "90 deg"},
        {MATERIAL("angle: 90 deg, receding: 60 deg"),
         AT(4) "materials.a.receding: angle stands for it already (give angle, or the three)"},
        {MATERIAL("angle: 90"), AT(4) "materials.a.angle: \"90\" is above 180 deg (plain numbers "
                                      "are radians; for degrees add deg)"},
        {MATERIAL("angle: 200 deg"), AT(4) "materials.a.angle: \"200 deg\" is above 180 deg"},
        {MATERIAL("slip: -1 mm"), AT(4) "materials.a.slip: \"-1 mm\" is below 0"},
        {MATERIAL("slip: -inf"), AT(4) "materials.a.slip: \"-inf\" is infinite..."},
        {MATERIAL("friction: inf"), AT(4) "materials.a.friction: \"inf\" is infinite..."},
        {MATERIAL("advansing: 1"),
         AT(4) "materials.a.advansing: unknown key (did you mean advancing?)"},
        {MATERIAL("max_receding_tension: 20 mN"),
         AT(4) "materials.a.max_receding_tension: unknown unit \"mN\" (a surface tension is "
               "wanted, such as 73 mN/m)"},
        {TEST_HEAD TEST_DROP "materials: [a]\n",
         AT(4) "materials: expected a mapping of names, found a list"},
        {TEST_HEAD TEST_DROP "materials: {a: 90 deg}\n",
         AT(4) "materials.a: expected a mapping {angle: ...}, found a value"},
        {TEST_HEAD TEST_DROP "materials: {open: {angle: 1}}\n",
         AT(4) "materials.open: \"open\" is no name (a wall that is open has no material)"},
        {TEST_HEAD TEST_DROP "materials: {a b: {angle: 1}}\n",
         AT(4) "materials.a b: \"a b\" is no name..."},
        {TEST_HEAD TEST_DROP "materials: {a: {}, a: {}}\n",
         AT(4) "materials.a: given twice (first on line 4)"},
        {TEST_HEAD TEST_DROP "look: {glas: {roughness: 0.1}}\nmaterials: {glass: {angle: 1}}\n",
         AT(4) "look.glas: no material \"glas\" (did you mean glass?)"},
        {TEST_HEAD TEST_DROP "look: {liquid: {kind: metal}}\n",
         AT(4) "look.liquid.kind: a liquid takes a color only"},
        {TEST_HEAD TEST_DROP "materials: {a: {}}\nlook: {a: {roughness: 2}}\n",
         AT(5) "look.a.roughness: \"2\" is above 1"},
    };
    EXPECT_ALL(slips);
}

static void test_solids(void **state)
{
    (void)state;
    static const Slip slips[] = {
        {SOLID("radius: 1 mm"), AT(4) "solids[0]: shape is missing (plane, sphere, box, cylinder, "
                                      "tube, leaf, mesh or heightfield)"},
        {SOLID("shape: spher, radius: 1 mm"),
         AT(4) "solids[0].shape: unknown \"spher\" (did you mean sphere?)"},
        {SOLID("shape: sphere"), AT(4) "solids[0]: radius is missing (a length, such as 2 mm)"},
        {SOLID("shape: sphere, radius: 0"), AT(4) "solids[0].radius: \"0\" is not above 0"},
        {SOLID("shape: sphere, raduis: 1 mm"),
         AT(4) "solids[0].raduis: unknown key (did you mean radius?)"},
        {SOLID("shape: sphere, radius: 1 mm, material: glas"),
         AT(4) "solids[0].material: no material \"glas\" (none is defined in materials)"},
        {SOLID("shape: plane, radius: 1 mm"),
         AT(4) "solids[0].radius: shape plane does not take it (only: sphere, cylinder)"},
        {SOLID("shape: plane, normal: [0, 0, 0]"),
         AT(4) "solids[0].normal: [0, 0, 0] has no direction (one part must not be 0)"},
        {SOLID("shape: plane, normal: [0, 1 mm, 0]"),
         AT(4) "solids[0].normal[1]: \"1 mm\" is a length, but a plain number is wanted..."},
        {SOLID("shape: plane, rotate: {axis: [0, 0, 0], angle: 1}"),
         AT(4) "solids[0].rotate.axis: [0, 0, 0] has no direction..."},
        {SOLID("shape: plane, rotate: 3"),
         AT(4) "solids[0].rotate: expected a mapping {axis: ...}, found a value"},
        {SOLID("shape: box, size: [1 mm, 0, 1 mm]"),
         AT(4) "solids[0].size[1]: \"0\" is not above 0"},
        {SOLID("shape: leaf, size: [1 mm, 1 mm, 1 mm]"),
         AT(4) "solids[0].size: expected two numbers [a, b], found a list of 3"},
        {SOLID("shape: cylinder, from: [1, 1, 1], to: [1, 1, 1], radius: 1"),
         AT(4) "solids[0].to: the same point as from (an axis has two ends)"},
        {SOLID("shape: tube, from: [0, 0, 0], to: [1, 1, 1], inner_radius: 2, outer_radius: 1"),
         AT(4) "solids[0].outer_radius: 1 m is not above inner_radius, 2 m (a tube has a wall)"},
        {SOLID("shape: mesh"), AT(4) "solids[0]: file is missing (mesh: PLY, OBJ..."},
        {SOLID("shape: mesh, file: ''"), AT(4) "solids[0].file: an empty name names no file"},
        {SOLID("shape: heightfield, file: g.csv, min: [0, 0], max: [0, 1]"),
         AT(4) "solids[0].max: not above min in both x and z"},
        {SOLID("shape: heightfield, file: g.png, min: [0, 0], max: [1, 1]"),
         AT(4) "solids[0].height: missing: a PNG..."},
        {SOLID("shape: heightfield, file: g.csv, min: [0, 0], max: [1, 1], height: [0, 1]"),
         AT(4) "solids[0].height: only a PNG takes it..."},
        {SOLID("shape: heightfield, file: g.png, min: [0, 0], max: [1, 1], height: [1, 0]"),
         AT(4) "solids[0].height: the second is not above the first"},
        {SOLID("shape: plane, keyframes: [{time: 0}, {time: 2}, {time: 2}]"),
         AT(4) "solids[0].keyframes[2].time: 2 s is not later than the keyframe before it, 2 s"},
        {SOLID("shape: plane, keyframes: [{time: 0}, {time: 1e-300}]"),
         AT(4) "solids[0].keyframes[1].time: 1e-300 s is less than 1 ns after the keyframe before "
               "it"},
        {SOLID("shape: plane, keyframes: [{translate: [0, 0, 0]}]"),
         AT(4) "solids[0].keyframes[0]: time is missing (a time, such as 0.5 s)"},
        {SOLID("shape: plane, affinity_map: a.png"),
         AT(4) "solids[0].affinity_map: needs affinity_material too..."},
        {SOLID("shape: plane, affinity_material: default"),
         AT(4) "solids[0].affinity_material: needs affinity_map too..."},
        {SOLID("shape: plane, name: a/b"), AT(4) "solids[0].name: \"a/b\" is no name..."},
        {SOLID("shape: plane, name: a}, {shape: plane, name: a"),
         AT(4) "solids[1].name: another solid is called \"a\" already"},
    };
    EXPECT_ALL(slips);
}

static void test_liquid(void **state)
{
    (void)state;
    static const Slip slips[] = {
        {DROP("shape: sphere, radius: -1 mm"), AT(3) "drops[0].radius: \"-1 mm\" is not above 0"},
        {DROP("shape: sphere, radius: 3 s"),
         AT(3) "drops[0].radius: \"3 s\" is a time, but a length is wanted (such as 2 mm)"},
        {DROP("shape: sphere, radius: 3 mmm"),
         AT(3) "drops[0].radius: unknown unit \"mmm\" (did you mean mm?)"},
        {DROP("shape: box, min: [0, 0, 0], max: [1, 0, 1]"),
         AT(3) "drops[0].max: its y, 0 m, is not above min's, 0 m"},
        {DROP("shape: cap, volume: 5 mm"),
         AT(3) "drops[0].volume: \"5 mm\" is a length, but a volume is wanted (such as 10 mm^3)"},
        {DROP("shape: cap, volume: 5 ul, angle: 0"), AT(3) "drops[0].angle: \"0\" is not above 0"},
        {DROP("shape: scatter, on: pane, radius: 1 mm"),
         AT(3) "drops[0].on: no solid is called \"pane\" (give one a name)"},
        {DROP("shape: scatter, on: pan, radius: 1 mm") "solids: [{shape: plane, name: pane}]\n",
         AT(3) "drops[0].on: no solid is called \"pan\" (did you mean pane?)"},
        {DROP("shape: scatter, on: p, radius: [2 mm, 1 mm]") "solids: [{shape: plane, name: p}]\n",
         AT(3) "drops[0].radius: the first is above the second (smallest first)"},
        {DROP("shape: scatter, on: p, count: 0, radius: 1") "solids: [{shape: plane, name: p}]\n",
         AT(3) "drops[0].count: \"0\" is not between 1 and 1000000"},
        {SOURCE("shape: disk, radius: 1 mm, speed: 0"),
         AT(4) "sources[0].speed: \"0\" is not above 0"},
        {SOURCE("shape: disk, radius: 1 mm, speed: 1, start: 2 s, stop: 1 s"),
         AT(4) "sources[0].stop: 1 s is not later than start, 2 s"},
        {SOURCE("shape: drip, radius: 1 mm"),
         AT(4) "sources[0]: every is missing (a time, such as 0.5 s)"},
        {SOURCE("shape: rain, min: [0, 0, 0], max: [1, -1, 1], rate: 5 Hz, radius: 1 mm"),
         AT(4) "sources[0].max: its y, -1 m, is below min's, 0 m"},
        {SOURCE("shape: rain, min: [0, 0, 0], max: [1, 1, 1], rate: 5 mm^3/s, radius: 1 mm"),
         AT(4) "sources[0].rate: \"5 mm^3/s\" is a volume rate, but a frequency is wanted (such as "
               "60 Hz)"},
        {SOURCE("shape: condensation, on: x, rate: 5 Hz") "solids: [{shape: plane, name: x}]\n",
         AT(4) "sources[0].rate: \"5 Hz\" is a frequency..."},
        {TEST_HEAD TEST_DROP "sinks: [{shape: disk, min: [0, 0, 0], max: [1, 1, 1]}]\n",
         AT(4) "sinks[0].shape: unknown \"disk\" (box)"},
        {TEST_HEAD TEST_DROP "events: [{kind: tilt, time: 0}]\n",
         AT(4) "events[0].kind: unknown \"tilt\" (drop, cap, feed, drag, gravity, wind, material "
               "or liquid)"},
        {TEST_HEAD TEST_DROP "events: [{kind: drop, time: 0, center: [0, 0, 0], radius: 1, "
                             "over: 2}]\n",
         AT(4) "events[0].over: kind drop does not take it (only: drag)"},
        {TEST_HEAD TEST_DROP "events:\n- {kind: gravity, time: 2, gravity: [0, 0, 0]}\n"
                             "- {kind: gravity, time: 1, gravity: [0, 0, 0]}\n",
         AT(6) "events[1].time: 1 s is before the event above it, 2 s (they stand in order)"},
        {TEST_HEAD TEST_DROP "events: [{kind: material, time: 0, material: gls, advancing: 1}]\n",
         AT(4) "events[0].material: no material \"gls\" (none is defined in materials)"},
        {TEST_HEAD TEST_DROP "materials: {glass: {}}\nevents: [{kind: material, time: 0, material: "
                             "glass, advancing: 30 deg, receding: 40 deg}]\n",
         AT(5) "events[0].receding: 40 deg is above the advancing angle, 30 deg (at most that)"},
        {TEST_HEAD TEST_DROP "sinks: [{min: [0, 0, 0], max: [1, 1, 0]}]\n",
         AT(4) "sinks[0].max: its z, 0 m, is not above min's, 0 m"},
        {CAMERA("target: [0, 0, 0]"),
         AT(4) "camera.target: needs eye too (where the camera stands)"},
        {CAMERA("eye: [0, 0, 0]"), AT(4) "camera.target: the same point as eye"},
        {CAMERA("eye: [0, 1, 0]"), AT(4) "camera.up: points along the view (turn it sideways)"},
        {CAMERA("fov: 180 deg"), AT(4) "camera.fov: \"180 deg\" is above 178.763 deg"},
        {CAMERA("size: [0, 720]"), AT(4) "camera.size[0]: \"0\" is not between 1 and 32768"},
        {CAMERA("size: 720"), AT(4) "camera.size: expected two whole numbers such as [1280, 720]"},
        {TEST_HEAD TEST_DROP "lights: [{color: [-1, 0, 0]}]\n",
         AT(4) "lights[0].color[0]: \"-1\" is below 0"},
        {TEST_HEAD TEST_DROP "lights: [{direction: [0, 0, 0]}]\n",
         AT(4) "lights[0].direction: [0, 0, 0] has no direction..."},
    };
    EXPECT_ALL(slips);
}

static void test_one_pass_tells_all(void **state)
{
    (void)state;
    TestLog log;
    dew_Scene *scene = NULL;
    dew_Status status =
        test_read("solver: volum\ndomain: {min: [0, 0, 0], max: [1, 1, 1], cell: 3 s}\n"
                  "drops: [{shape: sphere, radius: -1}, {shape: cub}]\n"
                  "materials: {a: {angle: 1 m}}\nsolids: [{shape: plane, material: b}]\n",
                  NULL, NULL, &log, &scene);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_int_equal(log.count, 6);
    char *text = (char *)malloc(4000);
    assert_non_null(text);
    strcpy(text, TEST_HEAD "drops:\n");
    for (int i = 0; i < 25; i++)
        strcat(text, "- {shape: sphere, radius: -1}\n");
    (void)test_read(text, NULL, NULL, &log, &scene);
    assert_int_equal(log.count, 21);
    assert_non_null(strstr(log.lines, "scene.yaml:23: drops[19].radius: \"-1\" is not above 0\n"
                                      "scene.yaml: and 5 more errors\n"));
    free(text);
}

// A message fits on one line and stays short, whatever the file holds.
static void test_long_words(void **state)
{
    (void)state;
    char *text = (char *)malloc(300000);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s%s", TEST_HEAD, TEST_DROP);
    n += (size_t)sprintf(text + n, "title: ");
    for (int i = 0; i < 100000; i++)
        text[n++] = 'k';
    strcpy(text + n, "\n");
    expect(text, NULL, AT(4) "title: longer than 1000 bytes");
    n = (size_t)sprintf(text, "%s%s", TEST_HEAD, TEST_DROP);
    n += (size_t)sprintf(text + n, "seed: ");
    for (int i = 0; i < 100000; i++)
        text[n++] = 'k';
    strcpy(text + n, "\n");
    expect(text, NULL,
           AT(4) "seed: \"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...\" is not...");
    n = (size_t)sprintf(text, "%s%s\"", TEST_HEAD, TEST_DROP);
    for (int i = 0; i < 1000; i++)
        text[n++] = 'k';
    strcpy(text + n, "\": 1\n");
    expect(text, NULL, AT(4) "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top),
        cmocka_unit_test(test_domain_and_solver),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_unsupported_keys_tell_the_given_key),
        cmocka_unit_test(test_order_of_lines),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_liquid),
        cmocka_unit_test(test_one_pass_tells_all),
        cmocka_unit_test(test_long_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
