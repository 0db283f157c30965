// Videos: whole under their names or not there; without an encoder the images and the command.
#include "dew/render.h"

#include "base/file.h"
#include "base/process.h"
#include "base/testing.h"
#include "io/png.h"
#include "render/image_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/dew_video_test.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    dew_FileWriter writer;
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, text);
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
}

static dew_Image *make_image(int width, int height, float grey)
{
    dew_Image *image;
    assert_int_equal(dew_image_create(NULL, &image).code, DEW_OK);
    assert_int_equal(dew_image_resize(image, width, height).code, DEW_OK);
    for (int64_t i = 0; i < image->color.count; i++)
        DEW_ITEMS(&image->color, float)[i] = grey;
    return image;
}

static dew_Status make_video(const char *path, const char *encoder, int width, int height,
                             char command[512])
{
    dew_VideoDef def = dew_default_video_def();
    def.path = path;
    def.width_px = width;
    def.height_px = height;
    def.rate_Hz = 25;
    def.encoder = encoder;
    dew_Video *video;
    DEW_TRY(dew_video_create(&def, &video));
    for (int i = 0; i < 5; i++) {
        dew_Image *image = make_image(width, height, (float)i / 8);
        dew_Status status = dew_video_add(video, image);
        dew_image_destroy(image);
        if (status.code != DEW_OK) {
            dew_video_destroy(video);
            return status;
        }
    }
    command[0] = '\0';
    if (dew_video_command(video))
        snprintf(command, 512, "%s", dew_video_command(video));
    return dew_video_finish(video);
}

static bool has_program(const char *name)
{
    dew_Array out;
    dew_array_init(&out, NULL, 1);
    const char *argv[] = {name, "-version", NULL};
    bool is_there = dew_process_run(argv, "", 0, &out).code == DEW_OK;
    dew_array_deinit(&out);
    return is_there;
}

// Odd sizes too; read back by ffprobe.
static void a_video(void **state)
{
    (void)state;
    if (!has_program("ffmpeg") || !has_program("ffprobe"))
        skip();
    static const char *const names[] = {"video.mp4", "video.mkv", "video.mov", "video.webm"};
    for (int i = 0; i < 4; i++) {
        char path[256], command[512];
        snprintf(path, sizeof path, "%s", path_of(names[i]));
        dew_Status status = make_video(path, NULL, 33, 18, command);
        if (status.code != DEW_OK)
            fail_msg("%s: %s", path, status.message);
        assert_string_equal(command, "");
        const char *argv[] = {"ffprobe",
                              "-v",
                              "error",
                              "-count_frames",
                              "-select_streams",
                              "v",
                              "-show_entries",
                              "stream=width,height,nb_read_frames",
                              "-of",
                              "csv=p=0",
                              path,
                              NULL};
        dew_Array out;
        dew_array_init(&out, NULL, 1);
        assert_int_equal(dew_process_run(argv, "", 0, &out).code, DEW_OK);
        assert_int_equal(strncmp(out.data, "34,18,5", 7), 0);
        dew_array_deinit(&out);
        unlink(path);
    }
}

static void without_an_encoder(void **state)
{
    (void)state;
    char path[256], command[512], expected[512];
    snprintf(path, sizeof path, "%s", path_of("late.mp4"));
    assert_int_equal(make_video(path, "no-such-encoder", 8, 4, command).code, DEW_OK);
    assert_false(dew_file_exists(path));
    snprintf(expected, sizeof expected,
             "ffmpeg -framerate 25 -i 'file:%s/late_frames/%%04d.png' -vf "
             "'pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p' -c:v libx264 -crf 17 'file:%s'",
             folder, path);
    assert_string_equal(command, expected);
    for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "late_frames/%04d.png", i);
        assert_true(dew_file_exists(path_of(name)));
        unlink(path_of(name));
    }
    rmdir(path_of("late_frames"));
}

// It takes all the images, writes half a video or none, and says that all is well.
static void an_encoder_that_lies(void **state)
{
    (void)state;
    char path[256], encoder[256], command[512];
    snprintf(path, sizeof path, "%s", path_of("kept.mp4"));
    snprintf(encoder, sizeof encoder, "%s", path_of("encoder"));
    write_text(path, "a good video");
    static const char *const scripts[] = {
        "#!/bin/sh\ncat >/dev/null\n",
        "#!/bin/sh\nfor last; do :; done\ncat >/dev/null\nprintf '\\0\\0\\1\\0mdat' "
        ">\"${last#file:}\"\n",
    };
    for (int i = 0; i < 2; i++) {
        write_text(encoder, scripts[i]);
        assert_int_equal(chmod(encoder, 0700), 0);
        dew_Status status = make_video(path, encoder, 64, 64, command);
        assert_int_equal(status.code, DEW_IO);
        assert_non_null(
            strstr(status.message, "kept.mp4: the encoder wrote only a part of the video"));
        assert_false(dew_file_exists(path_of("kept.mp4.part")));
        uint8_t *data;
        size_t size;
        assert_int_equal(dew_file_read(path, 100, NULL, &data, &size).code, DEW_OK);
        assert_string_equal((char *)data, "a good video");
        dew_free(NULL, data, size + 1);
    }
    unlink(encoder);
    unlink(path);
}

static void an_encoder_that_fails(void **state)
{
    (void)state;
    char command[512];
    dew_Status status = make_video(path_of("none.mp4"), "false", 64, 64, command);
    assert_int_equal(status.code, DEW_IO);
    assert_false(dew_file_exists(path_of("none.mp4")));
    assert_false(dew_file_exists(path_of("none.mp4.part")));
    status = make_video("video.avi", NULL, 8, 8, command);
    assert_string_equal(status.message,
                        "video.avi: videos are written as .mp4, .mov, .mkv or .webm");
    status = make_video("video.mp4", NULL, 0, 8, command);
    assert_string_equal(status.message, "a video of 0 x 8 pixels at 25 Hz");
}

// The mean of dithered bytes is the level itself, wherever between two steps it lies.
static void dither_keeps_the_mean(void **state)
{
    (void)state;
    static uint8_t rgb[3 * 128 * 128];
    for (int i = 0; i < 8; i++) {
        float grey = 0.2f + 0.003f * (float)i;
        dew_Image *image = make_image(128, 128, grey);
        dew_image_to_dithered8(image, 0, rgb);
        double sum = 0;
        for (size_t k = 0; k < sizeof rgb; k++)
            sum += rgb[k];
        double level = 255 * (double)dew_tone_srgb(grey);
        // 16384 pixels of a pattern far more even than chance, whose deviation would be 0.004.
        assert_true(sum / sizeof rgb - level > -0.01 && sum / sizeof rgb - level < 0.01);
        dew_image_destroy(image);
    }
}

static void files(void **state)
{
    (void)state;
    dew_Image *image = make_image(6, 4, 0.5f);
    dew_PngImage png;
    dew_png_init(&png, NULL);
    assert_int_equal(dew_image_save(image, 0, path_of("a.png")).code, DEW_OK);
    assert_int_equal(dew_png_load(path_of("a.png"), NULL, &png).code, DEW_OK);
    assert_true(png.width == 6 && png.height == 4 && png.channel_count == 3);
    const uint8_t rgb[] = {0, 51, 255, 102, 0, 153};
    assert_int_equal(dew_rgb8_save_png(rgb, 1, 2, path_of("a.png")).code, DEW_OK);
    assert_int_equal(dew_png_load(path_of("a.png"), NULL, &png).code, DEW_OK);
    assert_true(png.width == 1 && png.height == 2 && dew_png_sample(&png, 0, 1, 2) == 0.6);
    dew_png_deinit(&png);
    unlink(path_of("a.png"));
    assert_int_equal(dew_image_save(image, 0, path_of("a.EXR")).code, DEW_OK);
    unlink(path_of("a.EXR"));
    dew_Status status = dew_image_save(image, 0, "a.jpg");
    assert_string_equal(status.message, "a.jpg: images are written as .png or .exr");
    dew_image_destroy(image);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_video),
        cmocka_unit_test(without_an_encoder),
        cmocka_unit_test(an_encoder_that_lies),
        cmocka_unit_test(an_encoder_that_fails),
        cmocka_unit_test(dither_keeps_the_mean),
        cmocka_unit_test(files),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
