/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/unit/capture.h"

#include "sim/text/out.h"

/* A folder of its own, and what is in it. */
static const char *new_folder(struct capture *c)
{
    char *path = arena_printf(c->arena, "/tmp/hetune-test-XXXXXX");

    cr_assert_not_null(mkdtemp(path));
    return path;
}

static int files_in(const char *folder)
{
    DIR *dir = opendir(folder);
    int n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static const char *content(struct capture *c, const char *path)
{
    char *text = arena_get(c->arena, 3 << 20);
    FILE *f = fopen(path, "r");

    cr_assert_not_null(f, "%s", path);
    text[fread(text, 1, (3 << 20) - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void write_all_kinds(struct out *o)
{
    out_text(o, "text");
    out_char(o, ' ');
    out_bytes(o, "by\0tes", 2);
    out_char(o, ' ');
    out_int(o, -42);
    out_char(o, ' ');
    out_real(o, 0.1);
    out_char(o, ' ');
    out_real(o, NAN);
    out_char(o, ' ');
    out_real(o, -INFINITY);
    out_char(o, ' ');
    out_seconds(o, 1500000000);
    out_char(o, ' ');
    out_hex(o, 0xABC);
    out_printf(o, " %s=%d", "x", 3);
}

#define ALL_KINDS "text by -42 0.1 null null 1.5 0000000000000abc x=3"

Test(out, appears_whole_or_not_at_all)
{
    struct capture *c = capture_new();
    const char *folder = new_folder(c), *path = arena_printf(c->arena, "%s/a.csv", folder);
    struct out *o = out_create(c->diag, path), *rival = out_create(c->diag, path);

    cr_assert(o && rival);
    cr_expect_eq(files_in(folder), 2, "beside each other");
    cr_expect_eq(access(path, F_OK), -1);
    write_all_kinds(o);
    cr_expect(out_commit(o));
    cr_expect_str_eq(content(c, path), ALL_KINDS);
    out_text(rival, "dropped");
    out_drop(rival);
    cr_expect_str_eq(content(c, path), ALL_KINDS);
    cr_expect_eq(files_in(folder), 1);
    o = out_create(c->diag, path);
    out_text(o, "replaced");
    cr_expect(out_commit(o));
    cr_expect_str_eq(content(c, path), "replaced");
    out_drop(NULL);
    cr_expect_str_eq(capture_all(c), "");
    unlink(path);
    rmdir(folder);
    capture_free(c);
}

/* Texts longer than the buffer, in pieces of all sizes. */
Test(out, long_texts)
{
    struct capture *c = capture_new();
    const char *path = capture_file(c, "", 0), *s = capture_repeat(c, "0123456789", 100000);
    struct out *file = out_create(c->diag, path), *memory = out_memory();
    size_t len, done = 0;

    cr_expect_str_eq(out_data(memory, &len), "");
    cr_expect_eq(len, 0);
    for (size_t piece = 1; done + piece <= 1000000; done += piece, piece += piece / 3 + 1) {
        out_bytes(file, s + done, piece);
        out_bytes(memory, s + done, piece);
    }
    out_printf(file, "%s", s + done);
    out_printf(memory, "%s", s + done);
    cr_expect(memcmp(out_data(memory, &len), s, 1000000) == 0);
    cr_expect_eq(len, 1000000);
    cr_expect(out_commit(file));
    cr_expect_str_eq(content(c, path), s);
    out_drop(memory);
    unlink(path);
    capture_free(c);
}

static const struct {
    const char *s, *csv, *json;
} strings[] = {
    {"", "", "\"\""},
    {"plain text", "plain text", "\"plain text\""},
    {"a,b", "\"a,b\"", "\"a,b\""},
    {"say \"x\"", "\"say \"\"x\"\"\"", "\"say \\\"x\\\"\""},
    {"\"", "\"\"\"\"", "\"\\\"\""},
    {"two\nlines", "\"two\nlines\"", "\"two\\nlines\""},
    {"cr\r", "\"cr\r\"", "\"cr\\r\""},
    {"=cmd()", "\"=cmd()\"", "\"=cmd()\""},
    {"+1", "\"+1\"", "\"+1\""},
    {"-1", "\"-1\"", "\"-1\""},
    {"@x", "\"@x\"", "\"@x\""},
    {"\tx", "\"\tx\"", "\"\\tx\""},
    {"a=b", "a=b", "\"a=b\""},
    {"back\\slash", "back\\slash", "\"back\\\\slash\""},
    {"\x01\x1F\x7F\b\f", "\x01\x1F\x7F\b\f", "\"\\u0001\\u001f\\u007f\\b\\f\""},
    {"gr\xC3\xB6\xC3\x9F"
     "e \xF0\x9F\x98\x80",
     "gr\xC3\xB6\xC3\x9F"
     "e \xF0\x9F\x98\x80",
     "\"gr\xC3\xB6\xC3\x9F"
     "e \xF0\x9F\x98\x80\""},
    {"\xC2\x80\xE2\x80\xAE\xEF\xBB\xBF", "\xC2\x80\xE2\x80\xAE\xEF\xBB\xBF",
     "\"\\u0080\\u202e\\ufeff\""},
    {"bad \xFF\xC3", "bad \xFF\xC3", "\"bad \xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"\xE2\x82", "\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"%n `x` </script>", "%n `x` </script>", "\"%n `x` </script>\""},
};

Test(out, quoting)
{
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        struct out *csv = out_memory(), *json = out_memory();
        const char *text;
        size_t len;

        out_csv(csv, strings[i].s);
        text = out_data(csv, &len);
        cr_expect(len == strlen(strings[i].csv) && memcmp(text, strings[i].csv, len) == 0,
                  "csv %zu: %.*s", i, (int)len, text);
        out_json(json, strings[i].s);
        text = out_data(json, &len);
        cr_expect(len == strlen(strings[i].json) && memcmp(text, strings[i].json, len) == 0,
                  "json %zu: %.*s", i, (int)len, text);
        out_drop(csv);
        out_drop(json);
    }
}

static void write_a_lot(struct out *o)
{
    for (int i = 0; i < 100000; i++)
        out_printf(o, "line %d\n", i);
}

Test(out, failures)
{
    struct capture *c = capture_new();
    const char *folder = new_folder(c), *file = arena_printf(c->arena, "%s/file", folder);
    const char *below = arena_printf(c->arena, "%s/file/x", folder);
    const char *missing = arena_printf(c->arena, "%s/none/x", folder);
    const char *link = arena_printf(c->arena, "%s/link", folder);
    struct rlimit limit = {100000, 100000};
    struct out *o = out_create(c->diag, file);

    out_text(o, "kept");
    cr_assert(out_commit(o));
    cr_expect_null(out_create(c->diag, below));
    cr_expect_null(out_create(c->diag, missing));
    cr_expect_null(out_create(c->diag, folder));
    o = out_create(c->diag, "/dev/full");
    write_a_lot(o);
    cr_expect_not(out_commit(o));
    o = out_create(c->diag, "/dev/null");
    write_a_lot(o);
    cr_expect(out_commit(o));
    cr_expect_eq(symlink("/dev/null/x", link), 0);
    o = out_create(c->diag, link);
    out_text(o, "not through the link");
    cr_expect(out_commit(o));
    cr_expect_str_eq(content(c, link), "not through the link");
    o = out_create(c->diag, file);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    write_a_lot(o);
    cr_expect_not(out_commit(o));
    cr_expect_str_eq(content(c, file), "kept");
    cr_expect_eq(files_in(folder), 2);
    cr_expect_str_eq(capture_all(c),
                     arena_printf(c->arena,
                                  "%s: cannot create: Not a directory\n"
                                  "%s: cannot create: No such file or directory\n"
                                  "%s: cannot create: Is a directory\n"
                                  "/dev/full: cannot write: No space left on device\n"
                                  "%s: cannot write: File too large\n",
                                  below, missing, folder, file));
    cr_expect_eq(diag_io_errors(c->diag), 5);
    unlink(file);
    unlink(link);
    rmdir(folder);
    capture_free(c);
}
