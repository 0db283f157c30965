// Lines of a script to what they come to, and the way through them.
#include "view/script.h"

#include "dew/text.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 8          // of a line
#define MAX_VALUE (1 << 20)  // of a number; also bytes of a script

typedef struct Line {
    dew_Script *script;
    const char *name;
    int number;
    char text[1024];
    char *words[MAX_WORDS];
    int count;
} Line;

void dew_script_init(dew_Script *script)
{
    *script = (dew_Script){.next = 0};
    dew_list_init(&script->acts, sizeof(dew_Act));
}

void dew_script_deinit(dew_Script *script)
{
    dew_list_deinit(&script->acts);
}

// ---- words -------------------------------------------------------------------------------------

static dew_Status wrong(const Line *line, const char *words, const char *hint)
{
    return dew_fail(DEW_BAD_INPUT, "%.200s:%d: %s (%s)", line->name, line->number, words, hint);
}

static bool read_number(const char *word, double *out)
{
    char *end = NULL;
    *out = strtod(word, &end);
    return end != word && *end == 0 && isfinite(*out) && fabs(*out) <= MAX_VALUE;
}

// Numbers from word 1 on.
static dew_Status read_numbers(const Line *line, int count, double *out, const char *usage)
{
    for (int i = 0; i < count; i++)
        if (i + 1 >= line->count || !read_number(line->words[i + 1], &out[i]))
            return wrong(line, "numbers are wanted", usage);
    return dew_ok();
}

static dew_Status read_button(const Line *line, const char *word, int *out)
{
    static const char *const names[] = {"left", "middle", "right"};
    for (int i = 0; i < 3; i++)
        if (strcmp(word, names[i]) == 0) {
            *out = DEW_MOUSE_LEFT + i;
            return dew_ok();
        }
    return wrong(line, "no such button", "left, middle, right");
}

static dew_Status read_key(const Line *line, dew_Input *input)
{
    static const struct {
        const char *name;
        int key;
    } named[] = {{"space", ' '},           {"escape", DEW_INPUT_ESCAPE},
                 {"left", DEW_INPUT_LEFT}, {"right", DEW_INPUT_RIGHT},
                 {"up", DEW_INPUT_UPWARD}, {"down", DEW_INPUT_DOWNWARD},
                 {"home", DEW_INPUT_HOME}, {"end", DEW_INPUT_END}};
    const char *usage = "a letter, space, escape, left, right, up, down, home, end";
    if (line->count != 2)
        return wrong(line, "a key is wanted", usage);
    const char *word = line->words[1];
    *input = (dew_Input){.kind = DEW_INPUT_KEY};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(word, named[i].name) == 0)
            input->key = named[i].key;
    if (input->key == 0 && strlen(word) == 1) {
        input->has_shift = *word >= 'A' && *word <= 'Z';
        input->key = input->has_shift ? *word - 'A' + 'a' : *word;
    }
    return input->key ? dew_ok() : wrong(line, "no such key", usage);
}

// ---- what lines come to ------------------------------------------------------------------------

static dew_Status add(const Line *line, const dew_Act *act)
{
    return dew_list_push(&line->script->acts, act);
}

static dew_Status add_mouse(const Line *line, dew_InputKind kind, double x, double y, int button)
{
    dew_Act act = {.kind = DEW_ACT_INPUT, .input = {kind, .x_px = x, .y_px = y, .button = button}};
    return add(line, &act);
}

static dew_Status add_images(const Line *line, double count)
{
    dew_Act act = {.kind = DEW_ACT_IMAGE};
    for (int64_t i = 0; i < (int64_t)count; i++)
        DEW_TRY(add(line, &act));
    return dew_ok();
}

static dew_Status add_hold(const Line *line)
{
    double x[3] = {0};
    DEW_TRY(read_numbers(line, 3, x, "hold X Y N"));
    DEW_TRY(add_mouse(line, DEW_INPUT_DOWN, x[0], x[1], DEW_MOUSE_LEFT));
    DEW_TRY(add_images(line, x[2]));
    return add_mouse(line, DEW_INPUT_UP, x[0], x[1], DEW_MOUSE_LEFT);
}

static dew_Status add_drag(const Line *line)
{
    double x[5] = {0};
    int button = DEW_MOUSE_LEFT;
    DEW_TRY(read_numbers(line, 5, x, "drag X1 Y1 X2 Y2 N [left|middle|right]"));
    if (line->count > 6)
        DEW_TRY(read_button(line, line->words[6], &button));
    DEW_TRY(add_mouse(line, DEW_INPUT_MOVE, x[0], x[1], 0));
    DEW_TRY(add_mouse(line, DEW_INPUT_DOWN, x[0], x[1], button));
    for (int i = 1; i <= (int)x[4]; i++) {
        double fraction = i / x[4];
        DEW_TRY(add_images(line, 1));
        DEW_TRY(add_mouse(line, DEW_INPUT_MOVE, x[0] + fraction * (x[2] - x[0]),
                          x[1] + fraction * (x[3] - x[1]), 0));
    }
    DEW_TRY(add_images(line, 1));
    return add_mouse(line, DEW_INPUT_UP, x[2], x[3], button);
}

static dew_Status add_button(const Line *line, dew_InputKind kind)
{
    double x = 0, y = 0;
    int button = 0;
    const char *usage = "down left X Y";
    if (line->count != 4 || !read_number(line->words[2], &x) || !read_number(line->words[3], &y))
        return wrong(line, "a button and a place are wanted", usage);
    DEW_TRY(read_button(line, line->words[1], &button));
    return add_mouse(line, kind, x, y, button);
}

static dew_Status add_file(const Line *line, dew_ActKind kind)
{
    dew_Act act = {.kind = kind};
    if (line->count != 2 || strlen(line->words[1]) >= sizeof act.path)
        return wrong(line, "a file is wanted", "shot image.png, save scene.yaml");
    memcpy(act.path, line->words[1], strlen(line->words[1]) + 1);
    return add(line, &act);
}

static dew_Status add_line(const Line *line)
{
    static const char *const names[] = {"at",   "wait",  "move", "down", "up",   "click", "hold",
                                        "drag", "wheel", "key",  "shot", "save", "print", "quit"};
    enum {
        AT,
        WAIT,
        MOVE,
        DOWN,
        UP,
        CLICK,
        HOLD,
        DRAG,
        WHEEL,
        KEY,
        SHOT,
        SAVE,
        PRINT,
        QUIT,
        COUNT
    };
    double x[2] = {0};
    dew_Act act = {.kind = DEW_ACT_INPUT};
    int which = 0;
    while (which < COUNT && strcmp(names[which], line->words[0]) != 0)
        which++;
    switch (which) {
    case AT:
        DEW_TRY(read_numbers(line, 1, x, "at FRAME"));
        act.kind = DEW_ACT_FRAME;
        act.frame = (int64_t)x[0];
        return add(line, &act);
    case WAIT:
        DEW_TRY(read_numbers(line, 1, x, "wait IMAGES"));
        return add_images(line, x[0]);
    case MOVE:
        DEW_TRY(read_numbers(line, 2, x, "move X Y"));
        return add_mouse(line, DEW_INPUT_MOVE, x[0], x[1], 0);
    case DOWN:
    case UP:
        return add_button(line, which == DOWN ? DEW_INPUT_DOWN : DEW_INPUT_UP);
    case CLICK:
        DEW_TRY(read_numbers(line, 2, x, "click X Y"));
        DEW_TRY(add_mouse(line, DEW_INPUT_DOWN, x[0], x[1], DEW_MOUSE_LEFT));
        return add_mouse(line, DEW_INPUT_UP, x[0], x[1], DEW_MOUSE_LEFT);
    case HOLD:
        return add_hold(line);
    case DRAG:
        return add_drag(line);
    case WHEEL:
        DEW_TRY(read_numbers(line, 1, x, "wheel NOTCHES"));
        act.input = (dew_Input){.kind = DEW_INPUT_WHEEL, .wheel = x[0]};
        return add(line, &act);
    case KEY:
        DEW_TRY(read_key(line, &act.input));
        return add(line, &act);
    case SHOT:
    case SAVE:
        return add_file(line, which == SHOT ? DEW_ACT_SHOT : DEW_ACT_SAVE);
    case PRINT:
        act.kind = DEW_ACT_PRINT;
        return add(line, &act);
    case QUIT:
        act.input = (dew_Input){.kind = DEW_INPUT_QUIT};
        return add(line, &act);
    default: {
        const char *nearest = dew_nearest_name(line->words[0], names, COUNT);
        return dew_fail(DEW_BAD_INPUT, "%.200s:%d: no command '%.40s' (%s%s)", line->name,
                        line->number, line->words[0],
                        nearest ? "did you mean " : "see dew view --help", nearest ? nearest : "");
    }
    }
}

// ---- the whole ---------------------------------------------------------------------------------

static void split(Line *line)
{
    char *rest = NULL;
    line->count = 0;
    line->text[strcspn(line->text, "#")] = 0;
    for (char *word = strtok_r(line->text, " \t\r", &rest); word && line->count < MAX_WORDS;
         word = strtok_r(NULL, " \t\r", &rest))
        line->words[line->count++] = word;
}

dew_Status dew_script_parse(dew_Script *script, const char *name, const char *text)
{
    Line line = {.script = script, .name = name};
    while (*text) {
        size_t length = strcspn(text, "\n");
        line.number++;
        if (length >= sizeof line.text)
            return wrong(&line, "the line is too long", "at most 1000 letters");
        memcpy(line.text, text, length);
        line.text[length] = 0;
        split(&line);
        if (line.count > 0)
            DEW_TRY(add_line(&line));
        text += length + (text[length] == '\n');
    }
    return dew_ok();
}

dew_Status dew_script_load(dew_Script *script, const char *path)
{
    char *text = NULL;
    DEW_TRY(dew_app_read_text(path, MAX_VALUE, &text));
    bool has_mark = strncmp(text, "\xEF\xBB\xBF", 3) == 0;
    dew_Status status = dew_script_parse(script, path, text + (has_mark ? 3 : 0));
    free(text);
    return status;
}

const dew_Act *dew_script_next(dew_Script *script, int64_t frame)
{
    if (dew_script_is_done(script))
        return NULL;
    const dew_Act *act = &((const dew_Act *)script->acts.items)[script->next];
    if (act->kind == DEW_ACT_FRAME && frame < act->frame)
        return NULL;
    script->next++;
    if (act->kind == DEW_ACT_IMAGE)
        return NULL;
    return act->kind == DEW_ACT_FRAME ? dew_script_next(script, frame) : act;
}

bool dew_script_is_done(const dew_Script *script)
{
    return script->next >= script->acts.count;
}
