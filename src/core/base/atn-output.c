/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-output.h"

#include "base/atn-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 100

static gboolean
set_io_error (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, ATN_ERROR, ATN_ERROR_IO, _ ("%s cannot be written: %s"), path,
               g_strerror (saved_errno));
  return FALSE;
}

/* Returns 0, or the errno of what went wrong. */
static int
write_all (int fd, const char *data, gsize length)
{
  while (length > 0) {
    gssize n = write (fd, data, MIN (length, 1 << 24));

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno;
    data += n;
    length -= (gsize) n;
  }

  return 0;
}

/* An open descriptor, which is kept, or a place without a name to rename. */
static gboolean
write_directly (const char *path, int fd, const void *data, gsize length, GError **error)
{
  int saved_errno = write_all (fd, data, length);

  return saved_errno == 0 ? TRUE : set_io_error (error, path, saved_errno);
}

static gboolean
write_special (const char *path, const void *data, gsize length, GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  gboolean is_written;

  if (fd < 0)
    return set_io_error (error, path, errno);

  is_written = write_directly (path, fd, data, length, error);
  if (close (fd) != 0 && is_written)
    return set_io_error (error, path, errno);

  return is_written;
}

/* A new file beside @target with the rights that the umask gives; its name in @temporary. */
static int
open_temporary (const char *target, char **temporary)
{
  g_autofree char *folder = g_path_get_dirname (target);

  for (int i = 0; i < MAX_TRIES; i++) {
    g_autofree char *name = g_strdup_printf (".attnscope-%08x.tmp", g_random_int ());
    g_autofree char *path = g_build_filename (folder, name, NULL);
    int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd >= 0)
      *temporary = g_steal_pointer (&path);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }

  return -1;
}

/* Returns 0, or the errno of what went wrong. */
static int
fill_temporary (int fd, const mode_t *mode, const void *data, gsize length)
{
  int saved_errno = write_all (fd, data, length);

  /* The old file's rights: a private file stays private. */
  if (saved_errno == 0 && mode != NULL && fchmod (fd, *mode & 07777) != 0)
    saved_errno = errno;
  if (saved_errno == 0 && fsync (fd) != 0)
    saved_errno = errno;
  if (close (fd) != 0 && saved_errno == 0)
    saved_errno = errno;

  return saved_errno;
}

static gboolean
write_regular (const char *path, const mode_t *mode, const void *data, gsize length, GError **error)
{
  /* A link stays a link: what it points to is replaced. */
  g_autofree char *target = mode != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *temporary = NULL;
  int fd, saved_errno;

  if (target == NULL)
    target = g_strdup (path);

  fd = open_temporary (target, &temporary);
  if (fd < 0)
    return set_io_error (error, path, errno);

  saved_errno = fill_temporary (fd, mode, data, length);
  if (saved_errno == 0 && g_rename (temporary, target) != 0)
    saved_errno = errno;
  if (saved_errno == 0)
    return TRUE;

  g_unlink (temporary);
  return set_io_error (error, path, saved_errno);
}

gboolean
atn_output_write (const char *path, const void *data, gsize length, GError **error)
{
  struct stat info;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  /* Standard output may itself be a regular file that others append to. */
  if (g_str_equal (path, "-") || g_str_equal (path, "/dev/stdout") ||
      g_str_equal (path, "/dev/fd/1"))
    return write_directly (_ ("standard output"), STDOUT_FILENO, data, length, error);

  if (stat (path, &info) != 0) {
    if (errno != ENOENT)
      return set_io_error (error, path, errno);
    return write_regular (path, NULL, data, length, error);
  }

  if (S_ISDIR (info.st_mode))
    return set_io_error (error, path, EISDIR);
  if (!S_ISREG (info.st_mode))
    return write_special (path, data, length, error);

  return write_regular (path, &info.st_mode, data, length, error);
}
