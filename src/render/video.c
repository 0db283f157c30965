// Feeds images to ffmpeg as raw bytes; ffmpeg writes NAME.part, which is checked, synced and
// renamed at the end.
//
// The part file is made and locked before ffmpeg opens it. ffmpeg can fail to write and exit with 0
// (5.1, a full disk, .mkv), so the exit code does not suffice: the file must be whole and hold each
// image.
#include "base/arena.h"
#include "base/argument.h"
#include "base/cookie.h"
#include "base/file.h"
#include "base/part_file.h"
#include "base/process.h"
#include "base/status.h"
#include "io/video_check.h"
#include "render/image_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct dew_Video {
    dew_VideoDef def;
    dew_Arena arena;       // of the texts below
    dew_Process *encoder;  // NULL: images go to the folder
    dew_FileWriter file;   // whose part the encoder writes
    char *path, *folder, *command;
    uint8_t *rgb;
    int64_t image_count;
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

bool dew_video_is_name(const char *path)
{
    return kind_of(path) != NULL;
}

// Colours are halved in both directions, which needs even sizes: a black line is added to odd ones.
#define EVEN_SIZE "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p"

static dew_Status start_encoder(dew_Video *video)
{
    const Kind *kind = kind_of(video->path);
    const char *output = dew_argument_ffmpeg_file(&video->arena, video->file.part_path);
    char size[32], rate[32];
    if (!output)
        return dew_no_memory(strlen(video->path));
    snprintf(size, sizeof size, "%dx%d", video->def.width_px, video->def.height_px);
    snprintf(rate, sizeof rate, "%.9g", video->def.rate_Hz);
    const char *argv[] = {
        video->def.encoder,
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
    return dew_process_begin(argv, &video->def.allocator, &video->encoder);
}

// No encoder: a folder NAME_frames, and the words that would make the video later.
static dew_Status start_folder(dew_Video *video)
{
    const Kind *kind = kind_of(video->path);
    size_t stem = strlen(video->path) - strlen(kind->ending);
    dew_Arena *arena = &video->arena;
    video->folder = dew_arena_format(arena, "%.*s_frames", (int)stem, video->path);
    if (!video->folder)
        return dew_no_memory(stem);
    const char *in = dew_argument_ffmpeg_series(arena, video->folder, "/%04d.png");
    const char *out = dew_argument_ffmpeg_file(arena, video->path);
    if (in && out) {
        in = dew_argument_shell_word(arena, in);
        out = dew_argument_shell_word(arena, out);
    }
    if (in && out)
        video->command = dew_arena_format(
            arena, "ffmpeg -framerate %.9g -i %s -vf '" EVEN_SIZE "' -c:v %s -crf %s %s",
            video->def.rate_Hz, in, kind->codec, kind->quality, out);
    if (!video->command)
        return dew_no_memory(strlen(video->path));
    dew_part_sweep_series(video->folder, "", ".png");
    return dew_directory_make(video->folder);
}

static dew_Status begin(dew_Video *video)
{
    const dew_VideoDef *def = &video->def;
    video->path = dew_arena_format(&video->arena, "%s", def->path);
    video->rgb =
        dew_arena_array(&video->arena, uint8_t, 3 * (int64_t)def->width_px * def->height_px);
    if (!video->path || !video->rgb)
        return dew_no_memory(3 * (size_t)def->width_px * (size_t)def->height_px);
    DEW_TRY(dew_file_begin(&video->file, video->path, &def->allocator));
    dew_Status status = start_encoder(video);
    if (status.code != DEW_OK)
        dew_file_abandon(&video->file);
    return status.code == DEW_UNSUPPORTED ? start_folder(video) : status;
}

dew_VideoDef dew_default_video_def(void)
{
    return (dew_VideoDef){.rate_Hz = 30, .cookie = DEW_COOKIE};
}

dew_Status dew_video_create(const dew_VideoDef *def, dew_Video **out)
{
    *out = NULL;
    if (def->cookie != DEW_COOKIE)
        return dew_fail(DEW_BAD_INPUT, "the video definition was not made by "
                                       "dew_default_video_def");
    if (!kind_of(def->path))
        return dew_fail(DEW_BAD_INPUT, "%s: videos are written as .mp4, .mov, .mkv or .webm",
                        def->path);
    if (def->width_px < 1 || def->height_px < 1 || !(def->rate_Hz > 0))
        return dew_fail(DEW_BAD_INPUT, "a video of %d x %d pixels at %g Hz", def->width_px,
                        def->height_px, def->rate_Hz);
    dew_Video *video = dew_alloc(&def->allocator, 1, sizeof *video);
    if (!video)
        return dew_no_memory(sizeof *video);
    video->def = *def;
    video->def.encoder = def->encoder ? def->encoder : "ffmpeg";
    dew_arena_init(&video->arena, &def->allocator);
    dew_Status status = begin(video);
    if (status.code != DEW_OK) {
        dew_video_destroy(video);
        return status;
    }
    *out = video;
    return dew_ok();
}

dew_Status dew_video_add(dew_Video *video, const dew_Image *image)
{
    if (image->width_px != video->def.width_px || image->height_px != video->def.height_px)
        return dew_fail(DEW_BAD_INPUT, "%.300s: an image has %d x %d pixels, the video %d x %d",
                        video->path, image->width_px, image->height_px, video->def.width_px,
                        video->def.height_px);
    int64_t number = video->image_count++;
    if (!video->encoder) {
        char name[32];
        snprintf(name, sizeof name, "/%04lld.png", (long long)number);
        dew_ArenaMark mark = dew_arena_mark(&video->arena);
        char *path = dew_arena_format(&video->arena, "%s%s", video->folder, name);
        dew_Status status = path ? dew_image_save(image, video->def.exposure_stops, path)
                                 : dew_no_memory(sizeof name);
        dew_arena_rewind(&video->arena, mark);
        return status;
    }
    dew_image_to_dithered8(image, video->def.exposure_stops, video->rgb);
    size_t size = 3 * (size_t)image->width_px * (size_t)image->height_px;
    dew_Status status = dew_process_write(video->encoder, video->rgb, size);
    return status.code == DEW_OK ? status : dew_status_prefix(status, "%.300s", video->path);
}

static void destroy(dew_Video *video)
{
    dew_arena_deinit(&video->arena);
    dew_Allocator allocator = video->def.allocator;
    dew_free(&allocator, video, sizeof *video);
}

dew_Status dew_video_finish(dew_Video *video)
{
    dew_Status status = dew_ok();
    if (video->encoder) {
        status = dew_process_end(video->encoder);
        video->encoder = NULL;
        if (status.code != DEW_OK)
            status = dew_status_prefix(status, "%.300s", video->path);
        else
            status = dew_video_check(video->file.fd, video->path, video->image_count);
        if (status.code == DEW_OK)
            status = dew_file_commit(&video->file);
    }
    dew_video_destroy(video);
    return status;
}

void dew_video_destroy(dew_Video *video)
{
    if (!video)
        return;
    dew_process_kill(video->encoder);
    dew_file_abandon(&video->file);
    destroy(video);
}

const char *dew_video_folder(const dew_Video *video)
{
    return video->folder;
}

const char *dew_video_command(const dew_Video *video)
{
    return video->command;
}
