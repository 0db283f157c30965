/// Signals that ask a command to end.
#include "support/stop.h"

#include <stddef.h>

// A signal handler can reach nothing but a static object.
volatile sig_atomic_t dew_app_stop;

static void request_stop(int signal_number)
{
    dew_app_stop = signal_number;
}

void dew_app_catch_stop(void)
{
    struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}
