/* A graphics driver that hangs: loaded before EGL (LD_PRELOAD), it stands in for one of OpenGL's
   functions, HANG_IN. The first process of which the HANG_AT-th call of it is made takes the file
   HANG_ONCE, if that is named, and hangs; others call on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *(*lookup)(const char *);
typedef void (*function)(long, long, long, long, long, long, void *);
static function real_function;

static int is_mine(void) {
    static int calls;
    const char *at = getenv("HANG_AT"), *once = getenv("HANG_ONCE");
    if (++calls < (at ? atoi(at) : 1)) return 0;
    return !once || open(once, O_CREAT | O_EXCL, 0600) >= 0;
}

/* Of up to seven integers and pointers, which glReadPixels has. */
static void hang(long a, long b, long c, long d, long e, long f, void *g) {
    if (is_mine())
        for (;;) pause();
    real_function(a, b, c, d, e, f, g);
}

void *eglGetProcAddress(const char *name) {
    static lookup real;
    if (!real) real = (lookup)dlsym(RTLD_NEXT, "eglGetProcAddress");
    if (!real) real = (lookup)dlsym(dlopen("libEGL.so.1", RTLD_NOW), "eglGetProcAddress");
    const char *hang_in = getenv("HANG_IN");
    if (!hang_in || strcmp(name, hang_in)) return real(name);
    real_function = (function)real(name);
    return (void *)hang;
}
