// Feeds pictures to ffmpeg as raw bytes; it writes NAME.part, which is checked, synced and renamed at the end.
//
// The part is made and locked by us before ffmpeg opens it. ffmpeg can fail to write and exit with 0 (5.1, a full
// disk, .mkv), so its word is not taken: the file must be whole and hold each picture.
#include "render/film.h"

#include "base/arena.h"
#include "base/argument.h"
#include "base/file.h"
#include "base/part_file.h"
#include "base/process.h"
#include "base/status.h"
#include "io/video_check.h"
#include "render/picture_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct dew_Film {
    dew_FilmDef def;
    dew_Arena arena;       // of the texts below
    dew_Process *encoder;  // NULL: pictures go to the folder
    dew_FileWriter file;   // whose part the encoder writes
    char *path, *folder, *command;
    uint8_t *rgb;
    int64_t picture_count;
};

// Encoders by the ending: what every Debian ffmpeg has, and every browser plays.
typedef struct Kind {
    const char *ending, *format, *codec, *quality;
} Kind;

static const Kind kinds[] = {
    {".mp4", "mp4", "libx264", "17"},
    {".mov", "mov", "libx264", "17"},
    {".mkv", "matroska", "libx264", "17"},
    {".webm", "webm", "libvpx-vp9", "24"},
};

static const Kind *kind_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcasecmp(dot, kinds[i].ending) == 0)
            return &kinds[i];
    return NULL;
}

bool dew_film_is_name(const char *path)
{
    return kind_of(path) != NULL;
}

// Colours are halved in both directions, which needs even sizes: a black line is added to odd ones.
#define EVEN_SIZE "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p"

static dew_Status start_encoder(dew_Film *film)
{
    const Kind *kind = kind_of(film->path);
    const char *output = dew_argument_ffmpeg_file(&film->arena, film->file.part_path);
    char size[32], rate[32];
    if (!output)
        return dew_no_memory(strlen(film->path));
    snprintf(size, sizeof size, "%dx%d", film->def.width_px, film->def.height_px);
    snprintf(rate, sizeof rate, "%.9g", film->def.rate_Hz);
    const char *argv[] = {
        film->def.encoder,
        "-nostdin",
        "-loglevel",
        "error",
        "-xerror",  // else a failing last write ends with exit code 0
        "-y",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        size,
        "-r",
        rate,
        "-i",
        "pipe:0",
        "-vf",
        EVEN_SIZE,
        "-c:v",
        kind->codec,
        "-crf",
        kind->quality,
        "-b:v",
        "0",
        "-fflags",
        "+bitexact",  // no random names of tracks: the same images make the same file
        "-f",
        kind->format,
        output,
        NULL,
    };
    return dew_process_begin(argv, &film->def.allocator, &film->encoder);
}

// No encoder: a folder NAME_frames, and the words that would make the film later.
static dew_Status start_folder(dew_Film *film)
{
    const Kind *kind = kind_of(film->path);
    size_t stem = strlen(film->path) - strlen(kind->ending);
    dew_Arena *arena = &film->arena;
    film->folder = dew_arena_format(arena, "%.*s_frames", (int)stem, film->path);
    if (!film->folder)
        return dew_no_memory(stem);
    const char *in = dew_argument_ffmpeg_series(arena, film->folder, "/%04d.png");
    const char *out = dew_argument_ffmpeg_file(arena, film->path);
    if (in && out) {
        in = dew_argument_shell_word(arena, in);
        out = dew_argument_shell_word(arena, out);
    }
    if (in && out)
        film->command = dew_arena_format(
            arena, "ffmpeg -framerate %.9g -i %s -vf '" EVEN_SIZE "' -c:v %s -crf %s %s",
            film->def.rate_Hz, in, kind->codec, kind->quality, out);
    if (!film->command)
        return dew_no_memory(strlen(film->path));
    dew_part_sweep_series(film->folder, "", ".png");
    return dew_directory_make(film->folder);
}

static dew_Status begin(dew_Film *film)
{
    const dew_FilmDef *def = &film->def;
    film->path = dew_arena_format(&film->arena, "%s", def->path);
    film->rgb = dew_arena_array(&film->arena, uint8_t, 3 * (int64_t)def->width_px * def->height_px);
    if (!film->path || !film->rgb)
        return dew_no_memory(3 * (size_t)def->width_px * (size_t)def->height_px);
    DEW_TRY(dew_file_begin(&film->file, film->path, &def->allocator));
    dew_Status status = start_encoder(film);
    if (status.code != DEW_OK)
        dew_file_abandon(&film->file);
    return status.code == DEW_UNSUPPORTED ? start_folder(film) : status;
}

dew_Status dew_film_begin(const dew_FilmDef *def, dew_Film **out)
{
    *out = NULL;
    if (!kind_of(def->path))
        return dew_fail(DEW_BAD_INPUT, "%s: films are written as .mp4, .mov, .mkv or .webm",
                        def->path);
    if (def->width_px < 1 || def->height_px < 1 || !(def->rate_Hz > 0))
        return dew_fail(DEW_BAD_INPUT, "a film of %d x %d pixels at %g Hz", def->width_px,
                        def->height_px, def->rate_Hz);
    dew_Film *film = dew_alloc(&def->allocator, 1, sizeof *film);
    if (!film)
        return dew_no_memory(sizeof *film);
    film->def = *def;
    film->def.encoder = def->encoder ? def->encoder : "ffmpeg";
    dew_arena_init(&film->arena, &def->allocator);
    dew_Status status = begin(film);
    if (status.code != DEW_OK) {
        dew_film_drop(film);
        return status;
    }
    *out = film;
    return dew_ok();
}

dew_Status dew_film_add(dew_Film *film, const dew_Image *image)
{
    int64_t number = film->picture_count++;
    DEW_ASSERT(image->width_px == film->def.width_px && image->height_px == film->def.height_px);
    if (!film->encoder) {
        char name[32];
        snprintf(name, sizeof name, "/%04lld.png", (long long)number);
        dew_ArenaMark mark = dew_arena_mark(&film->arena);
        char *path = dew_arena_format(&film->arena, "%s%s", film->folder, name);
        dew_Status status = path ? dew_picture_save(image, film->def.exposure_stops, path)
                                 : dew_no_memory(sizeof name);
        dew_arena_rewind(&film->arena, mark);
        return status;
    }
    dew_image_to_dithered8(image, film->def.exposure_stops, film->rgb);
    size_t size = 3 * (size_t)image->width_px * (size_t)image->height_px;
    dew_Status status = dew_process_write(film->encoder, film->rgb, size);
    return status.code == DEW_OK ? status : dew_status_prefix(status, "%.300s", film->path);
}

static void destroy(dew_Film *film)
{
    dew_arena_deinit(&film->arena);
    dew_Allocator allocator = film->def.allocator;
    dew_free(&allocator, film, sizeof *film);
}

dew_Status dew_film_end(dew_Film *film)
{
    dew_Status status = dew_ok();
    if (film->encoder) {
        status = dew_process_end(film->encoder);
        film->encoder = NULL;
        if (status.code != DEW_OK)
            status = dew_status_prefix(status, "%.300s", film->path);
        else
            status = dew_video_check(film->file.fd, film->path, film->picture_count);
        if (status.code == DEW_OK)
            status = dew_file_commit(&film->file);
    }
    dew_film_drop(film);
    return status;
}

void dew_film_drop(dew_Film *film)
{
    if (!film)
        return;
    dew_process_kill(film->encoder);
    dew_file_abandon(&film->file);
    destroy(film);
}

const char *dew_film_folder(const dew_Film *film)
{
    return film->folder;
}

const char *dew_film_command(const dew_Film *film)
{
    return film->command;
}
