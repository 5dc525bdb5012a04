/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A hand that types, for --measure: the same handlers run as for a person's
 * keys, on the same main loop, with 40 ms between two strokes (a fast typist
 * leaves 80).
 */

#include "app/atn-measure-run.h"

#include "app/atn-measure.h"

#define KEY_INTERVAL_MS 40
#define N_KEYS 100
#define N_SLIDER_STEPS 50
#define SETTLE_MS 1000

typedef struct
{
  AtnWindow *window;
  guint n_done;
} Hand;

static gboolean
finish_cb (gpointer user_data)
{
  Hand *hand = user_data;
  g_autofree char *report = atn_measure_dup_report ();

  g_print ("%s\n", report);
  gtk_window_close (GTK_WINDOW (hand->window));
  g_free (hand);
  return G_SOURCE_REMOVE;
}

static gboolean
act_cb (gpointer user_data)
{
  static const char text[] = " the cat sat";
  Hand *hand = user_data;
  AtnSession *session = atn_window_get_session (hand->window);
  guint step = hand->n_done++;

  if (step < N_KEYS) {
    char key[] = { text[step % (sizeof text - 1)], '\0' };

    atn_window_type (hand->window, key);
    return G_SOURCE_CONTINUE;
  }
  if (step < N_KEYS + N_SLIDER_STEPS) {
    atn_session_set_temperature (session, 0.5 + 0.05 * (double) (step - N_KEYS));
    return G_SOURCE_CONTINUE;
  }
  g_timeout_add (SETTLE_MS, finish_cb, hand);
  return G_SOURCE_REMOVE;
}

static gboolean
start_cb (gpointer user_data)
{
  atn_measure_reset ();
  g_timeout_add (KEY_INTERVAL_MS, act_cb, user_data);
  return G_SOURCE_REMOVE;
}

static void
first_picture_cb (gpointer user_data)
{
  g_timeout_add (SETTLE_MS, start_cb, user_data);
}

void
atn_measure_run (AtnWindow *window)
{
  Hand *hand = g_new0 (Hand, 1);

  hand->window = window;
  atn_measure_set_first_picture_func (first_picture_cb, hand);
}
