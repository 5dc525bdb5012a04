/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The table is an array that never moves, because the handler reads it without a lock: an entry
 * counts while its start is set, and that is set last and cleared first.
 */

#include "base/atn-mapping.h"

#include "base/atn-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The largest models have some 200 shards. */
#define MAX_GUARDS 1024

typedef struct
{
  gpointer start; /* atomic; NULL: the entry is free */
  gsize size;
  int is_broken; /* atomic; pages were lost */
  int fd;
  struct timespec changed;
} Guard;

static Guard guards[MAX_GUARDS];
static GMutex guards_mutex; /* of who adds and removes */
static struct sigaction previous_action;
static gsize page_size;

static Guard *
find_guard (gconstpointer address)
{
  for (size_t i = 0; i < MAX_GUARDS; i++) {
    const guint8 *start = g_atomic_pointer_get (&guards[i].start);

    if (start != NULL && (const guint8 *) address >= start &&
        (const guint8 *) address < start + guards[i].size)
      return &guards[i];
  }

  return NULL;
}

/* All from the page that is lost to the end: where a file was cut, what follows is lost, too. */
static void
replace_lost_pages (int signal_number, siginfo_t *info, void *context)
{
  const int saved_errno = errno;
  Guard *guard = find_guard (info->si_addr);

  (void) signal_number;
  (void) context;

  if (guard != NULL) {
    guint8 *start = g_atomic_pointer_get (&guard->start);
    const gsize offset = (gsize) ((guint8 *) info->si_addr - start) / page_size * page_size;

    if (mmap (start + offset, guard->size - offset, PROT_READ,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
      g_atomic_int_set (&guard->is_broken, 1);
      errno = saved_errno;
      return;
    }
  }

  /* Not ours: the access comes again, and finds who was here before. */
  sigaction (SIGBUS, &previous_action, NULL);
  errno = saved_errno;
}

static void
install_handler (void)
{
  static gsize is_installed = 0;
  struct sigaction action = { .sa_sigaction = replace_lost_pages, .sa_flags = SA_SIGINFO };

  if (!g_once_init_enter (&is_installed))
    return;

  page_size = (gsize) sysconf (_SC_PAGESIZE);
  sigemptyset (&action.sa_mask);
  sigaction (SIGBUS, &action, &previous_action);
  g_once_init_leave (&is_installed, 1);
}

/* Takes @fd. */
static Guard *
add_guard (gpointer start, gsize size, int fd, const struct stat *info)
{
  Guard *guard = NULL;

  g_mutex_lock (&guards_mutex);
  for (size_t i = 0; i < MAX_GUARDS && guard == NULL; i++) {
    if (guards[i].start == NULL)
      guard = &guards[i];
  }
  if (guard != NULL) {
    guard->size = size;
    guard->fd = fd;
    guard->changed = info->st_mtim;
    g_atomic_int_set (&guard->is_broken, 0);
    g_atomic_pointer_set (&guard->start, start);
  }
  g_mutex_unlock (&guards_mutex);

  return guard;
}

static void
remove_guard (gpointer user_data)
{
  Guard *guard = user_data;
  gpointer start = guard->start;
  const gsize size = guard->size;

  g_mutex_lock (&guards_mutex);
  g_atomic_pointer_set (&guard->start, NULL);
  close (guard->fd);
  g_mutex_unlock (&guards_mutex);
  munmap (start, size);
}

static GBytes *
set_io_error (GError **error, const char *reason)
{
  g_set_error (error, ATN_ERROR, ATN_ERROR_IO, _ ("the file cannot be mapped: %s"), reason);
  return NULL;
}

GBytes *
atn_mapping_new (int fd, gsize size, GError **error)
{
  struct stat info;
  gpointer start;
  Guard *guard;
  int own_fd;

  g_return_val_if_fail (size > 0, NULL);

  install_handler ();
  own_fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (own_fd < 0)
    return set_io_error (error, g_strerror (errno));

  start = mmap (NULL, size, PROT_READ, MAP_PRIVATE, own_fd, 0);
  if (start == MAP_FAILED || fstat (own_fd, &info) != 0) {
    set_io_error (error, g_strerror (errno));
    close (own_fd);
    return NULL;
  }

  guard = add_guard (start, size, own_fd, &info);
  if (guard == NULL) {
    munmap (start, size);
    close (own_fd);
    return set_io_error (error, _ ("too many are mapped already"));
  }

  return g_bytes_new_with_free_func (start, size, remove_guard, guard);
}

bool
atn_mapping_is_mapped (GBytes *bytes)
{
  return find_guard (g_bytes_get_data (bytes, NULL)) != NULL;
}

gboolean
atn_mapping_check (GBytes *bytes, GError **error)
{
  Guard *guard = find_guard (g_bytes_get_data (bytes, NULL));
  struct stat info;

  if (guard == NULL)
    return TRUE;

  if (!g_atomic_int_get (&guard->is_broken) && fstat (guard->fd, &info) == 0 &&
      (guint64) info.st_size == guard->size && info.st_mtim.tv_sec == guard->changed.tv_sec &&
      info.st_mtim.tv_nsec == guard->changed.tv_nsec)
    return TRUE;

  g_set_error_literal (error, ATN_ERROR, ATN_ERROR_IO,
                       _ ("the file has changed since it was opened; open it again"));
  return FALSE;
}
