/// Runs a program with pipes on its three standard streams and poll() between them, so that neither
/// side can block the other however much it writes.
#include "base/process.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct Pipes {
    int in, out, err;      // our ends; -1 once closed
    int child[3];          // the program's ends
    char last_words[256];  // the end of what it wrote to its error output
    size_t last_words_length;
} Pipes;

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(Pipes *p)
{
    close_fd(&p->in);
    close_fd(&p->out);
    close_fd(&p->err);
    for (int i = 0; i < 3; i++)
        close_fd(&p->child[i]);
}

static dew_Status open_pipes(Pipes *p)
{
    *p = (Pipes){.in = -1, .out = -1, .err = -1, .child = {-1, -1, -1}};
    int in[2], out[2], err[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return dew_fail(DEW_IO, "cannot make a pipe: %s", strerror(errno));
    p->child[0] = in[0];
    p->in = in[1];
    if (pipe2(out, O_CLOEXEC) == 0) {
        p->out = out[0];
        p->child[1] = out[1];
        if (pipe2(err, O_CLOEXEC) == 0) {
            p->err = err[0];
            p->child[2] = err[1];
            fcntl(p->in, F_SETFL, O_NONBLOCK);
            return dew_ok();
        }
    }
    dew_Status status = dew_fail(DEW_IO, "cannot make a pipe: %s", strerror(errno));
    close_pipes(p);
    return status;
}

/// In a process group of its own: Ctrl-C in a terminal is ours to answer, and a program that ended
/// by itself would look like one that failed. Our blocked signals are not its own.
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    int failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed)
        failed =
            posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    return failed;
}

static dew_Status spawn(const char *const *argv, Pipes *p, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return dew_no_memory(sizeof actions);
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return dew_no_memory(sizeof attributes);
    }
    int failed = set_attributes(&attributes);
    for (int i = 0; i < 3 && !failed; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, p->child[i], i);
    if (!failed)
        failed = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv,
                              environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i < 3; i++)
        close_fd(&p->child[i]);
    if (failed == ENOENT)
        return dew_fail(DEW_UNSUPPORTED, "the program %s is not installed", argv[0]);
    if (failed)
        return dew_fail(DEW_IO, "cannot start %s: %s", argv[0], strerror(failed));
    return dew_ok();
}

static void keep_last_words(Pipes *p, const char *text, size_t length)
{
    size_t room = sizeof p->last_words - 1;
    if (length >= room) {
        memcpy(p->last_words, text + length - room, room);
        p->last_words_length = room;
        return;
    }
    if (p->last_words_length + length > room) {
        size_t drop = p->last_words_length + length - room;
        memmove(p->last_words, p->last_words + drop, p->last_words_length - drop);
        p->last_words_length -= drop;
    }
    memcpy(p->last_words + p->last_words_length, text, length);
    p->last_words_length += length;
}

/// Reads what is there; closes the end at end of file.
static dew_Status drain(Pipes *p, int *fd, dew_Array *output)
{
    char chunk[BUFSIZ];
    ssize_t n = read(*fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
        return dew_ok();
    if (n <= 0) {
        close_fd(fd);
        return dew_ok();
    }
    if (output)
        return dew_array_append(output, chunk, n);
    keep_last_words(p, chunk, (size_t)n);
    return dew_ok();
}

/// Writes what fits; closes the end when all is written or the program no longer listens.
static void feed(Pipes *p, const char *input, size_t size, size_t *done)
{
    ssize_t n = *done < size ? write(p->in, input + *done, size - *done) : 0;
    if (n > 0)
        *done += (size_t)n;
    bool is_retry = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (*done == size || (n < 0 && !is_retry))
        close_fd(&p->in);
}

static dew_Status exchange(Pipes *p, const char *input, size_t size, dew_Array *output)
{
    size_t done = 0;
    while (p->out >= 0 || p->err >= 0) {
        struct pollfd fds[3] = {{p->out, POLLIN, 0}, {p->err, POLLIN, 0}, {p->in, POLLOUT, 0}};
        if (poll(fds, 3, -1) < 0) {
            if (errno == EINTR)
                continue;
            return dew_fail(DEW_IO, "cannot wait for a program: %s", strerror(errno));
        }
        if (fds[0].revents)
            DEW_TRY(drain(p, &p->out, output));
        if (fds[1].revents)
            DEW_TRY(drain(p, &p->err, NULL));
        if (p->in >= 0 && fds[2].revents)
            feed(p, input, size, &done);
    }
    return dew_ok();
}

/// Blocks SIGPIPE for this thread while a program may stop listening, and takes a pending one away.
static void block_sigpipe(sigset_t *before)
{
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, before);
}

static void unblock_sigpipe(const sigset_t *before)
{
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    struct timespec now = {0, 0};
    if (!sigismember(before, SIGPIPE))
        while (sigtimedwait(&pipe_only, NULL, &now) > 0)
            continue;
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static const char *last_line(Pipes *p)
{
    while (p->last_words_length && strchr(" \r\n\t", p->last_words[p->last_words_length - 1]))
        p->last_words_length--;
    p->last_words[p->last_words_length] = 0;
    const char *newline = strrchr(p->last_words, '\n');
    return newline ? newline + 1 : p->last_words;
}

/// How it ended; DEW_OK for exit code 0 only. Its last words, or else the number.
static dew_Status judge(const char *name, int how, Pipes *p)
{
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return dew_ok();
    const char *words = last_line(p);
    if (*words)
        return dew_fail(DEW_IO, "%s failed: %s", name, words);
    if (WIFSIGNALED(how))
        return dew_fail(DEW_IO, "%s was ended by signal %d", name, WTERMSIG(how));
    return dew_fail(DEW_IO, "%s failed with exit code %d", name, WEXITSTATUS(how));
}

dew_Status dew_process_run(const char *const *argv, const void *input, size_t input_size,
                           dew_Array *output)
{
    Pipes pipes;
    pid_t pid = -1;
    DEW_TRY(open_pipes(&pipes));
    sigset_t before;
    block_sigpipe(&before);
    dew_Status status = spawn(argv, &pipes, &pid);
    if (status.code == DEW_OK)
        status = exchange(&pipes, input, input_size, output);
    close_pipes(&pipes);
    unblock_sigpipe(&before);
    int how = 0;
    while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR)
        continue;
    return status.code == DEW_OK ? judge(argv[0], how, &pipes) : status;
}

// ---- piece by piece ----------------------------------------------------------------------------

struct dew_Process {
    Pipes pipes;
    pid_t pid;
    char name[64];
    dew_Allocator allocator;
};

static int wait_for(pid_t pid)
{
    int how = 0;
    while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
        continue;
    return how;
}

/// Takes what the program says meanwhile: an end that nobody empties would stop it.
static void drop_output(Pipes *p)
{
    char chunk[4096];
    ssize_t n = read(p->out, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EINTR))
        close_fd(&p->out);
}

/// Feeds `size` bytes, or (size 0) listens until the program closes its ends.
static dew_Status attend(dew_Process *process, const char *data, size_t size)
{
    Pipes *p = &process->pipes;
    size_t done = 0;
    bool is_feeding = size > 0;
    while (is_feeding ? done < size : (p->out >= 0 || p->err >= 0)) {
        struct pollfd fds[3] = {
            {p->out, POLLIN, 0}, {p->err, POLLIN, 0}, {is_feeding ? p->in : -1, POLLOUT, 0}};
        if (poll(fds, 3, -1) < 0) {
            if (errno == EINTR)
                continue;
            return dew_fail(DEW_IO, "cannot wait for a program: %s", strerror(errno));
        }
        if (fds[0].revents)
            drop_output(p);
        if (fds[1].revents)
            DEW_TRY(drain(p, &p->err, NULL));
        if (!is_feeding || !fds[2].revents)
            continue;
        ssize_t n = write(p->in, data + done, size - done);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return dew_fail(DEW_IO, "%s ended before it had read all of its input", process->name);
        done += n > 0 ? (size_t)n : 0;
    }
    return dew_ok();
}

dew_Status dew_process_begin(const char *const *argv, const dew_Allocator *allocator,
                             dew_Process **out)
{
    *out = NULL;
    dew_Process *process = dew_alloc(allocator, 1, sizeof *process);
    if (!process)
        return dew_no_memory(sizeof *process);
    if (allocator)
        process->allocator = *allocator;
    size_t length = strnlen(argv[0], sizeof process->name - 1);
    memcpy(process->name, argv[0], length);
    dew_Status status = open_pipes(&process->pipes);
    if (status.code == DEW_OK)
        status = spawn(argv, &process->pipes, &process->pid);
    if (status.code != DEW_OK) {
        close_pipes(&process->pipes);
        dew_free(allocator, process, sizeof *process);
        return status;
    }
    *out = process;
    return dew_ok();
}

dew_Status dew_process_write(dew_Process *process, const void *data, size_t size)
{
    sigset_t before;
    block_sigpipe(&before);
    dew_Status status = size > 0 ? attend(process, data, size) : dew_ok();
    unblock_sigpipe(&before);
    if (status.code == DEW_OK)
        return status;
    // Its last words say more than the broken pipe does.
    close_fd(&process->pipes.in);
    (void)attend(process, NULL, 0);
    const char *words = last_line(&process->pipes);
    return *words ? dew_fail(DEW_IO, "%s failed: %s", process->name, words) : status;
}

static void free_process(dew_Process *process)
{
    close_pipes(&process->pipes);
    dew_Allocator allocator = process->allocator;
    dew_free(&allocator, process, sizeof *process);
}

dew_Status dew_process_end(dew_Process *process)
{
    close_fd(&process->pipes.in);
    dew_Status status = attend(process, NULL, 0);
    int how = wait_for(process->pid);
    if (status.code == DEW_OK)
        status = judge(process->name, how, &process->pipes);
    free_process(process);
    return status;
}

void dew_process_kill(dew_Process *process)
{
    if (!process)
        return;
    kill(process->pid, SIGKILL);
    wait_for(process->pid);
    free_process(process);
}
