/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-output.h"

#include "base/atn-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 100

struct _AtnOutput
{
  char *path;      /* for messages */
  char *target;    /* (nullable): what @temporary becomes */
  char *temporary; /* (nullable): the name while it is not whole */
  int fd;
  bool is_borrowed;
  bool has_mode;
  mode_t mode; /* of the old file: a private file stays private */
};

static void
set_io_error (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, ATN_ERROR, ATN_ERROR_IO, _ ("%s cannot be written: %s"), path,
               g_strerror (saved_errno));
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

/* Opens a new file beside the target with the rights that the umask gives. */
static void
open_temporary (AtnOutput *self)
{
  g_autofree char *folder = g_path_get_dirname (self->target);

  for (int i = 0; i < MAX_TRIES; i++) {
    g_autofree char *name = g_strdup_printf (".attnscope-%08x.tmp", g_random_int ());
    g_autofree char *path = g_build_filename (folder, name, NULL);

    self->fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (self->fd >= 0)
      self->temporary = g_steal_pointer (&path);
    if (self->fd >= 0 || errno != EEXIST)
      return;
  }
}

/* Sets the descriptor; it is -1 with errno on failure. */
static void
open_path (AtnOutput *self)
{
  struct stat info;
  const bool exists = stat (self->path, &info) == 0;

  if (!exists && errno != ENOENT)
    return;
  if (exists && S_ISDIR (info.st_mode)) {
    errno = EISDIR;
    return;
  }
  if (exists && !S_ISREG (info.st_mode)) {
    self->fd = open (self->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return;
  }

  /* A link stays a link: what it points to is replaced. */
  self->target = exists ? realpath (self->path, NULL) : NULL;
  if (self->target == NULL)
    self->target = g_strdup (self->path);
  self->has_mode = exists;
  if (exists)
    self->mode = info.st_mode & 07777;
  open_temporary (self);
}

AtnOutput *
atn_output_open (const char *path, GError **error)
{
  g_autoptr (AtnOutput) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (AtnOutput, 1);
  self->fd = -1;
  /* Standard output may itself be a regular file that others append to. */
  if (g_str_equal (path, "-") || g_str_equal (path, "/dev/stdout") ||
      g_str_equal (path, "/dev/fd/1")) {
    self->path = g_strdup (_ ("standard output"));
    self->fd = STDOUT_FILENO;
    self->is_borrowed = true;
    return g_steal_pointer (&self);
  }

  self->path = g_strdup (path);
  open_path (self);
  if (self->fd < 0) {
    set_io_error (error, path, errno);
    return NULL;
  }

  return g_steal_pointer (&self);
}

gboolean
atn_output_append (AtnOutput *self, const void *data, gsize length, GError **error)
{
  int saved_errno;

  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  saved_errno = write_all (self->fd, data, length);
  if (saved_errno != 0)
    set_io_error (error, self->path, saved_errno);
  return saved_errno == 0;
}

gboolean
atn_output_close (AtnOutput *self, GError **error)
{
  int saved_errno = 0;

  if (self->has_mode && fchmod (self->fd, self->mode) != 0)
    saved_errno = errno;
  if (saved_errno == 0 && self->temporary != NULL && fsync (self->fd) != 0)
    saved_errno = errno;
  if (!self->is_borrowed && close (self->fd) != 0 && saved_errno == 0)
    saved_errno = errno;
  self->fd = -1;

  if (saved_errno == 0 && self->temporary != NULL) {
    if (g_rename (self->temporary, self->target) != 0)
      saved_errno = errno;
    else
      g_clear_pointer (&self->temporary, g_free);
  }

  if (saved_errno != 0)
    set_io_error (error, self->path, saved_errno);
  atn_output_discard (self);
  return saved_errno == 0;
}

void
atn_output_discard (AtnOutput *self)
{
  if (self->fd >= 0 && !self->is_borrowed)
    close (self->fd);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->target);
  g_free (self->path);
  g_free (self);
}

gboolean
atn_output_write (const char *path, const void *data, gsize length, GError **error)
{
  g_autoptr (AtnOutput) output = atn_output_open (path, error);

  if (output == NULL || !atn_output_append (output, data, length, error))
    return FALSE;

  return atn_output_close (g_steal_pointer (&output), error);
}
