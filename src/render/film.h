/// Films: pictures in a row, handed to the program ffmpeg as they are made.
///
/// Where ffmpeg is not installed the pictures are kept as PNG files in a folder beside the film's
/// name, and dew_film_command tells what would make the film of them.
#pragma once

#include "render/image.h"

typedef struct dew_Film dew_Film;

typedef struct dew_FilmDef {
    const char *path;  // .mp4, .mov, .mkv or .webm
    int width_px, height_px;
    double rate_Hz;
    double exposure_stops;
    const char *encoder;  // the program; NULL: ffmpeg
    dew_Allocator allocator;
} dew_FilmDef;

bool dew_film_is_name(const char *path);  // by its ending

dew_Status dew_film_begin(const dew_FilmDef *def, dew_Film **out);
/// The pictures must have the film's size.
dew_Status dew_film_add(dew_Film *film, const dew_Image *image);
/// The film is whole under its name when this returns DEW_OK. Frees the film in any case.
dew_Status dew_film_end(dew_Film *film);
/// Gives up: no film appears; pictures in a folder stay. NULL: nothing.
void dew_film_drop(dew_Film *film);

/// NULL: the encoder is at work. Else the folder where the pictures go, and the command to run.
const char *dew_film_folder(const dew_Film *film);
const char *dew_film_command(const dew_Film *film);
