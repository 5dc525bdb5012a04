/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-input.h"

#include "base/atn-error.h"
#include "base/atn-mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes between two looks at the cancellable: about a millisecond. */
#define CHUNK_SIZE ((gsize) 4 << 20)

struct _AtnInput
{
  int fd;
  guint64 size;
};

static gpointer
set_io_error (GError **error, int saved_errno)
{
  g_set_error (error, ATN_ERROR, ATN_ERROR_IO, _ ("the file cannot be read: %s"),
               g_strerror (saved_errno));
  return NULL;
}

AtnInput *
atn_input_open (const char *path, GError **error)
{
  g_autoptr (AtnInput) self = g_new0 (AtnInput, 1);
  struct stat info;

  /* Without O_NONBLOCK a named pipe would wait here for its writer. */
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (self->fd < 0 || fstat (self->fd, &info) != 0)
    return set_io_error (error, errno);

  if (S_ISDIR (info.st_mode))
    return set_io_error (error, EISDIR);

  if (!S_ISREG (info.st_mode)) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_IO,
                         _ ("this is a device or a pipe, expected a regular file"));
    return NULL;
  }

  self->size = (guint64) info.st_size;
  return g_steal_pointer (&self);
}

void
atn_input_close (AtnInput *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

guint64
atn_input_get_size (const AtnInput *self)
{
  return self->size;
}

/* Reads as much as there is; -1 with errno set on failure. */
static gssize
read_at (int fd, guint64 offset, guint8 *buffer, gsize length)
{
  gsize n_read = 0;

  while (n_read < length) {
    gssize n = pread (fd, buffer + n_read, length - n_read, (off_t) (offset + n_read));

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    n_read += (gsize) n;
  }

  return (gssize) n_read;
}

gsize
atn_input_peek (const AtnInput *self, guint8 *buffer, gsize n)
{
  return (gsize) MAX (read_at (self->fd, 0, buffer, n), 0);
}

GBytes *
atn_input_read (const AtnInput *self,
                guint64 offset,
                gsize length,
                const AtnProgress *progress,
                GError **error)
{
  g_autofree guint8 *buffer = NULL;

  g_return_val_if_fail (offset <= self->size && length <= self->size - offset, NULL);

  buffer = g_try_malloc (MAX (length, 1));
  if (buffer == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("there is no memory for its %zu bytes"),
                 length);
    return NULL;
  }

  for (gsize done = 0; done < length;) {
    const gsize wanted = MIN (CHUNK_SIZE, length - done);
    const gssize n = read_at (self->fd, offset + done, buffer + done, wanted);

    if (n < 0)
      return set_io_error (error, errno);
    if ((gsize) n < wanted) {
      g_set_error_literal (error, ATN_ERROR, ATN_ERROR_IO,
                           _ ("the file became shorter while it was read"));
      return NULL;
    }

    done += wanted;
    if (!atn_progress_step (progress, (double) done / (double) length, error))
      return NULL;
  }

  return g_bytes_new_take (g_steal_pointer (&buffer), length);
}

GBytes *
atn_input_map (const AtnInput *self, GError **error)
{
  g_return_val_if_fail (self->size > 0, NULL);

  return atn_mapping_new (self->fd, (gsize) self->size, error);
}

GBytes *
atn_input_read_file (const char *path,
                     guint64 max_size,
                     const AtnProgress *progress,
                     GError **error)
{
  g_autoptr (AtnInput) input = atn_input_open (path, error);

  if (input == NULL)
    return NULL;

  if (input->size > max_size) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("the file has %" PRIu64 " bytes, expected at most %" PRIu64), input->size,
                 max_size);
    return NULL;
  }

  return atn_input_read (input, 0, (gsize) input->size, progress, error);
}
