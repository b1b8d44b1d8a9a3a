/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <sha2.h>

#include "sim/base/file.h"
#include "sim/base/sha256.h"

_Static_assert(SHA256_HEX == SHA256_DIGEST_STRING_LENGTH, "the digest's text does not fit");

void sha256_bytes(const void *bytes, size_t len, char hex[SHA256_HEX])
{
    SHA2_CTX sum;

    SHA256Init(&sum);
    SHA256Update(&sum, bytes, len);
    SHA256End(&sum, hex);
}

bool sha256_file(struct diag *d, const char *path, char hex[SHA256_HEX])
{
    unsigned char buf[1 << 15];
    ptrdiff_t n;
    SHA2_CTX sum;
    int fd = file_open(d, path);

    if (fd < 0)
        return false;
    SHA256Init(&sum);
    while ((n = file_read(d, fd, path, buf, sizeof buf)) > 0)
        SHA256Update(&sum, buf, (size_t)n);
    file_close(fd);
    if (n < 0)
        return false;
    SHA256End(&sum, hex);
    return true;
}
