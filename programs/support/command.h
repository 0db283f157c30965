/// The command line as data: commands, their options, and what the user gave.
///
/// One table per command drives parsing, --help and the near-miss hints; a command's file holds its
/// table and its work, nothing else.
#pragma once

#include "dew/base.h"

#include <signal.h>

typedef struct dew_Option {
    const char *name;   // "--set"
    char letter;        // 'o' for -o; 0: none
    const char *value;  // what follows, for the help ("KEY=VALUE"); NULL: a flag
    bool is_many;       // may be given several times
    const char *help;
} dew_Option;

#define DEW_MAX_ARGUMENTS 256

typedef struct dew_Arguments dew_Arguments;

typedef struct dew_Command {
    const char *name;
    const char *operands;  // "SCENE"
    const char *summary;   // one line
    const char *details;   // more for `dew COMMAND --help`; may be NULL
    int min_operands, max_operands;
    const dew_Option *options;
    int option_count;
    int (*run)(const dew_Arguments *arguments);  // returns the exit code
} dew_Command;

struct dew_Arguments {
    const dew_Command *command;
    const char *operands[DEW_MAX_ARGUMENTS];
    int operand_count;
    const char *option_values[DEW_MAX_ARGUMENTS];  // "" for a flag
    int option_indices[DEW_MAX_ARGUMENTS];         // into command->options
    int option_count;
};

/// Exit codes of the contract.
enum {
    DEW_EXIT_DONE = 0,
    DEW_EXIT_FAILED = 1,
    DEW_EXIT_USAGE = 2,
    DEW_EXIT_INTERRUPTED = 128 + SIGINT
};

/// Fills `out` from argv (after the command's name). The failure's sentence names what is wrong and
/// offers the nearest option.
dew_Status dew_arguments_parse(const dew_Command *command, int argc, char **argv,
                               dew_Arguments *out);
/// The last value given; NULL: not given.
const char *dew_option_value(const dew_Arguments *arguments, const char *name);
bool dew_option_given(const dew_Arguments *arguments, const char *name);
/// All values of an option that may be given several times, in order; returns how many.
int dew_option_values(const dew_Arguments *arguments, const char *name, const char **out,
                      int capacity);
/// A whole number in [min, max]; *out keeps its value when the option is not given.
dew_Status dew_option_integer(const dew_Arguments *arguments, const char *name, int64_t min,
                              int64_t max, int64_t *out);

void dew_command_help(const dew_Command *command);

/// Prints "dew: SENTENCE" on stderr and returns the exit code for it: 2 where the user can mend it
/// by asking for something else, 1 where the system failed (a full disk, no memory). The only place
/// that decides this.
int dew_app_fail(dew_Status status);
/// A log that prints warnings and errors as "dew: ..." lines on stderr.
dew_Log dew_app_log(void);

extern const dew_Command dew_command_run;
extern const dew_Command dew_command_check;
extern const dew_Command dew_command_render;
extern const dew_Command dew_command_view;
extern const dew_Command dew_command_scenes;
extern const dew_Command dew_command_plot;
extern const dew_Command dew_command_report;
extern const dew_Command dew_command_validate;
extern const dew_Command dew_command_bench;
extern const dew_Command dew_command_convert;
extern const dew_Command dew_command_export;
