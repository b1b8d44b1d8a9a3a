/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>

#include "sim/base/mem.h"

/* Under AddressSanitizer: a block that is too large gives NULL, as it does without. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static int is_zero(const unsigned char *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (p[i])
            return 0;
    return 1;
}

/* All blocks of a round are zeroed, aligned, and apart: each keeps the mark that it was given. */
static void round_of_blocks(struct arena *a)
{
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 65536, 65537, 262144, 262145, 2000000};
    enum { BLOCKS = 300 };
    unsigned char *block[BLOCKS];
    size_t size[BLOCKS];

    for (int i = 0; i < BLOCKS; i++) {
        size[i] = sizes[(size_t)i * 7 % (sizeof sizes / sizeof *sizes)];
        block[i] = arena_get(a, size[i]);
        cr_assert((uintptr_t)block[i] % 16 == 0);
        cr_assert(is_zero(block[i], size[i]));
        memset(block[i], i % 255 + 1, size[i]);
    }
    for (int i = 0; i < BLOCKS; i++)
        for (size_t k = 0; k < size[i]; k += size[i] / 2 + 1)
            cr_assert(block[i][k] == i % 255 + 1);
}

Test(mem, arena)
{
    struct arena *a = arena_new();
    char *long_text, *text = arena_text(a, "abcdef", 3);

    cr_expect_str_eq(text, "abc");
    cr_expect_str_eq(arena_text(a, "", 0), "");
    cr_expect_str_eq(arena_printf(a, "%d-%s", 7, "x"), "7-x");
    long_text = arena_printf(a, "%0500000d", 1);
    cr_expect(strlen(long_text) == 500000 && long_text[499999] == '1');
    for (int i = 0; i < 3; i++) {
        round_of_blocks(a);
        arena_reset(a);
    }
    arena_free(a);
    arena_free(NULL);
}

Test(mem, blocks)
{
    unsigned char *p = mem_get(100);
    uint32_t *array = NULL;
    size_t cap = 0;

    cr_expect(is_zero(p, 100));
    p[99] = 1;
    p = mem_grow(p, 1000);
    cr_expect(p[99] == 1);
    mem_drop(p);
    mem_drop(NULL);
    mem_drop(mem_get(0));
    for (uint32_t i = 0; i < 1000; i++) {
        array = mem_room(array, i, &cap, sizeof *array);
        cr_assert(cap > i && cap < 2 * i + 9);
        array[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert(array[i] == i);
    mem_drop(array);
}

Test(mem, exhausted_block, .exit_code = 3)
{
    mem_get(PTRDIFF_MAX);
}

Test(mem, exhausted_arena, .exit_code = 3)
{
    arena_get(arena_new(), SIZE_MAX - 100);
}

Test(mem, exhausted_array, .exit_code = 3)
{
    size_t cap = SIZE_MAX / 4;

    mem_room(NULL, cap, &cap, 16);
}
