/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/capture.h"

#include "sim/base/file.h"
#include "sim/base/sha256.h"
#include "sim/base/utf8.h"

#define SIXTY "123456789 123456789 123456789 123456789 123456789 123456789 "

struct complaint_case {
    const char *name, *text; /* of the source; name NULL: no source */
    uint32_t first_line, line, col;
    const char *message, *expect;
};

static const struct complaint_case complaints[] = {
    {"a.yaml", "x: 1\n    gpus: 0\n", 1, 2, 11, "gpus: 0 is below the minimum, 1",
     "a.yaml:2:11: error: gpus: 0 is below the minimum, 1\n"
     "    2 |     gpus: 0\n"
     "      |           ^\n"},
    {"a.yaml", "gpus: 0", 1, 1, 1, "first",
     "a.yaml:1:1: error: first\n    1 | gpus: 0\n      | ^\n"},
    {"a.yaml", "gpus: 0", 1, 1, 8, "end",
     "a.yaml:1:8: error: end\n    1 | gpus: 0\n      |        ^\n"},
    {"a.yaml", "gpus: 0\n", 1, 1, 0, "no column", "a.yaml:1: error: no column\n    1 | gpus: 0\n"},
    {"a.yaml", "gpus: 0\n", 1, 0, 0, "no line", "a.yaml: error: no line\n"},
    {NULL, NULL, 0, 0, 0, "no place", "error: no place\n"},
    {"a.yaml", NULL, 1, 3, 4, "no text", "a.yaml:3:4: error: no text\n"},
    {"a.yaml", "x\n", 1, 9, 1, "behind the end", "a.yaml:9:1: error: behind the end\n"},
    {"a.csv", "1,2,x\n", 4182, 4182, 5, "a later line",
     "a.csv:4182:5: error: a later line\n 4182 | 1,2,x\n      |     ^\n"},
    {"a.csv", "1,2,x\n", 1234567, 1234567, 5, "a wide number",
     "a.csv:1234567:5: error: a wide number\n1234567 | 1,2,x\n        |     ^\n"},
    {"a.csv", "x\n", 7, 6, 1, "before the text", "a.csv:6:1: error: before the text\n"},
    {"a", "x: 1\r\ny: 2\r\n", 1, 1, 1, "CRLF", "a:1:1: error: CRLF\n    1 | x: 1\n      | ^\n"},
    {"a", "\xEF\xBB\xBFx: 1\n", 1, 1, 1, "BOM", "a:1:1: error: BOM\n    1 | x: 1\n      | ^\n"},
    {"a", "\tx:\t1\n", 1, 1, 5, "tabs", "a:1:5: error: tabs\n    1 |  x: 1\n      |     ^\n"},
    {"a\x1B[31m", "x\x1B[0m\xC2\x9B y\n", 1, 1, 1, "esc \x1B[2J \n\r\x7F \xE2\x80\xAE \xFF ok",
     "a?[31m:1:1: error: esc ?[2J ??? ? ? ok\n    1 | x?[0m? y\n      | ^\n"},
    {"a",
     "gr\xC3\xB6\xC3\x9F"
     "e: x\n",
     1, 1, 8, "characters",
     "a:1:8: error: characters\n    1 | gr\xC3\xB6\xC3\x9F"
     "e: x\n      |        ^\n"},
    {"a", "", 1, 1, 1, SIXTY SIXTY SIXTY,
     "a:1:1: error: " SIXTY SIXTY "123456789 123456789 123...\n    1 | \n      | ^\n"},
    {"a", "", 1, 1, 1, SIXTY SIXTY "123456789 123456789 123456",
     "a:1:1: error: " SIXTY SIXTY "123456789 123456789 123456\n    1 | \n      | ^\n"},
    {SIXTY SIXTY, NULL, 1, 1, 1, SIXTY SIXTY,
     SIXTY SIXTY ":1:1: error: " SIXTY "123456789 1234567...\n"},
    {"a", SIXTY SIXTY "tail\n", 1, 1, 3, "left part",
     "a:1:3: error: left part\n    1 | " SIXTY "123456789 123456789 123456789 123456789 ...\n"
     "      |   ^\n"},
    {"a", SIXTY SIXTY "tail\n", 1, 1, 121, "right part",
     "a:1:121: error: right part\n    1 | ...23456789 123456789 123456789 123456789 123456789 "
     "tail\n      |                                                     ^\n"},
    {"a", SIXTY "123456789 123456789 123456789 123456789 \n", 1, 1, 100, "just fits",
     "a:1:100: error: just fits\n"
     "    1 | " SIXTY "123456789 123456789 123456789 123456789 \n"
     "      |                                                                                    "
     "                ^\n"},
};

Test(diag, complaints)
{
    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++) {
        const struct complaint_case *k = &complaints[i];
        struct source src = {k->name, k->text, k->text ? strlen(k->text) : 0, k->first_line};
        struct mark at = {k->name ? &src : NULL, k->line, k->col};
        struct capture *c = capture_new();

        cr_expect_not(diag_error(c->diag, at, "%s", k->message));
        cr_expect_str_eq(capture_all(c), k->expect, "%s:\n%s\nwanted\n%s", k->message, c->text,
                         k->expect);
        capture_free(c);
    }
}

Test(diag, counting)
{
    struct mark nowhere = {.src = NULL};
    struct capture *c = capture_new();
    struct diag *silent = diag_new(NULL);

    diag_note(c->diag, nowhere, "hm");
    cr_expect_str_eq(capture_all(c), "note: hm\n");
    for (int i = 1; i <= 25; i++) {
        cr_expect_eq(diag_full(c->diag), i > 20, "%d", i);
        diag_error(c->diag, nowhere, "e%d", i);
    }
    diag_note(c->diag, nowhere, "to an error that was not printed");
    cr_expect_eq(diag_errors(c->diag), 25);
    cr_expect(strstr(capture_all(c), "e20\n") && !strstr(c->text, "e21"));
    cr_expect_null(strstr(c->text, "to an error"));
    cr_expect_eq(diag_io_errors(c->diag), 0);
    cr_expect_not(diag_io(c->diag, "a\nb", ENOENT, "open"));
    cr_expect_eq(diag_io_errors(c->diag), 1);
    cr_expect(strstr(capture_all(c), "\na?b: cannot open: No such file or directory\n"));
    diag_error(silent, nowhere, "x");
    diag_io(silent, "x", EIO, "read");
    cr_expect(diag_errors(silent) == 1 && diag_io_errors(silent) == 1);
    diag_free(silent);
    capture_free(c);
}

static const char *const words[] = {"policy", "policies",  "seed", "cluster",
                                    "n",      "gpu_types", NULL};

static const struct {
    const char *word, *nearest;
} near[] = {
    {"polcy", "policy"},
    {"poilcy", "policy"},
    {"policyy", "policy"},
    {"polisy", "policy"},
    {"POLICY", "policy"},
    {"polices", "policies"},
    {"sede", "seed"},
    {"sead", "seed"},
    {"clutser", "cluster"},
    {"gputypes", "gpu_types"},
    {"gpu-type", "gpu_types"},
    {"xy", NULL},
    {"", NULL},
    {"m", NULL},
    {"sd", NULL},
    {"trace", NULL},
    {"nn", "n"},
    {"policypolicy", NULL},
    {SIXTY SIXTY, NULL},
};

Test(diag, nearest)
{
    static const char *const none[] = {NULL}, *const twins[] = {"abc1", "abc2", NULL};

    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        const char *found = diag_nearest(near[i].word, words);

        cr_expect(found == near[i].nearest ||
                      (found && near[i].nearest && strcmp(found, near[i].nearest) == 0),
                  "'%s': '%s'", near[i].word, found ? found : "none");
    }
    cr_expect_null(diag_nearest("policy", none));
    cr_expect_str_eq(diag_nearest("abc3", twins), "abc1");
}

static const struct {
    const char *s;
    size_t valid, characters;
} texts[] = {
    {"", 0, 0},
    {"abc", 3, 3},
    {"\xC3\xA4", 2, 1},
    {"\xE2\x82\xAC", 3, 1},
    {"\xF0\x9F\x98\x80", 4, 1},
    {"a\xC3", 1, 2},
    {"\x80", 0, 1},
    {"\xC0\x80", 0, 2},
    {"\xC1\xBF", 0, 2},
    {"\xE0\x9F\xBF", 0, 3},
    {"\xED\xA0\x80", 0, 3},
    {"\xF4\x90\x80\x80", 0, 4},
    {"\xF0\x8F\xBF\xBF", 0, 4},
    {"\xF5\x80\x80\x80", 0, 4},
    {"\xE2\x82x", 0, 3},
    {"12345678\xFF", 8, 9},
    {"1234567\xC3\xA4 12345678", 18, 17},
    {"\xED\x9F\xBF", 3, 1},
    {"\xF4\x8F\xBF\xBF", 4, 1},
};

Test(diag, utf8)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_eq(utf8_valid(texts[i].s, strlen(texts[i].s)), texts[i].valid, "%zu", i);
        cr_expect_eq(utf8_count(texts[i].s, strlen(texts[i].s)), texts[i].characters, "%zu", i);
    }
    cr_expect(utf8_shows('a') && utf8_shows(0xA0) && utf8_shows(0x1F600) && utf8_shows(0xFFFD));
    cr_expect(!utf8_shows(0x9F) && !utf8_shows(0x7F) && !utf8_shows(0x1F) && !utf8_shows(0x2028));
    cr_expect(!utf8_shows(0x200F) && !utf8_shows(0x2066) && !utf8_shows(0xFEFF));
    cr_expect_eq(utf8_order_mark("\xEF\xBB\xBFx", 4), 3);
    cr_expect_eq(utf8_order_mark("\xEF\xBB", 2), 0);
}

Test(diag, files)
{
    struct capture *c = capture_new();
    char *long_text = capture_repeat(c, "0123456789abcdef", 8192);
    const char *path = capture_file(c, long_text, 131072);
    struct source *src = file_load(c->arena, c->diag, path, 131072);
    char hex[SHA256_HEX];

    cr_assert_not_null(src);
    cr_expect(src->len == 131072 && memcmp(src->text, long_text, 131073) == 0);
    cr_expect(strcmp(src->name, path) == 0 && src->first_line == 1);
    cr_expect_null(file_load(c->arena, c->diag, path, 131071));
    cr_expect(strstr(capture_all(c), "error: the file is larger than 0 MiB"));
    cr_expect(sha256_file(c->diag, path, hex));
    sha256_bytes(long_text, 131072, long_text);
    cr_expect_str_eq(hex, long_text);
    sha256_bytes("abc", 3, hex);
    cr_expect_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_bytes("", 0, hex);
    cr_expect_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    unlink(path);
    cr_expect_eq(diag_io_errors(c->diag), 0);
    cr_expect_null(file_load(c->arena, c->diag, path, 9));
    cr_expect_not(sha256_file(c->diag, "/tmp", hex));
    cr_expect_eq(diag_io_errors(c->diag), 2);
    cr_expect(strstr(capture_all(c), ": cannot open: No such file or directory\n"));
    cr_expect(strstr(capture_all(c), "\n/tmp: cannot read: Is a directory\n"));
    cr_assert_eq(freopen("/dev/null", "r", stdin), stdin);
    src = file_load(c->arena, c->diag, "-", 9);
    cr_assert_not_null(src);
    cr_expect(src->len == 0 && strcmp(src->name, "<stdin>") == 0);
    capture_free(c);
}

static void say_where(const void *self, FILE *out)
{
    fprintf(out, "in %s\n", (const char *)self);
}

/* The message, then what its context adds, then SIGABRT. */
Test(diag, bugs_abort)
{
    char said[200] = "";
    int end[2], status;

    cr_assert_eq(pipe(end), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(end[1], STDERR_FILENO);
        bug_context(say_where, "a test");
        BUG_ON(1 + 1 == 2);
    }
    close(end[1]);
    cr_assert(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
              WTERMSIG(status) == SIGABRT);
    cr_assert(read(end[0], said, sizeof said - 1) > 0);
    close(end[0]);
    cr_assert(strstr(said, "hetune: bug at tests/unit/test_diag.c:") == said);
    cr_assert(strstr(said, ": 1 + 1 == 2\nin a test\n"));
}
