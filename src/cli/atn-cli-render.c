/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * render: the window's own drawing of a head, the strip of its stages, or all heads, as a file.
 */

#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"
#include "plot/atn-export.h"
#include "plot/atn-figure-builder.h"

#include <glib/gi18n.h>

/* Heads beyond this many cells a side are pooled on the contact sheet: more would not be seen. */
#define MAX_THUMBNAIL 128

typedef struct
{
  const char *path;
  AtnExportFormat format;
  AtnExportSize size;
  AtnFigureOptions figure;
} Job;

static gboolean
read_output (const AtnCliArguments *arguments, Job *job, GError **error)
{
  job->path = atn_cli_arguments_get (arguments, ATN_CLI_OPTION_OUTPUT);

  if (job->path == NULL) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("render needs -o FILE"));
    return FALSE;
  }

  if (!atn_export_format_from_path (job->path, &job->format)) {
    atn_cli_set_bad_value (error, ATN_CLI_OPTION_OUTPUT, job->path,
                           _ ("a name that ends in .png, .svg or .pdf"));
    return FALSE;
  }

  return TRUE;
}

static gboolean
read_size (const AtnCliArguments *arguments, AtnExportSize *size, GError **error)
{
  if (!atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ZOOM, ATN_CLI_OPTION_DPI, error) ||
      !atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ZOOM, ATN_CLI_OPTION_WIDTH, error) ||
      !atn_cli_arguments_read_double (arguments, ATN_CLI_OPTION_ZOOM, 1.0, 8.0, &size->zoom,
                                      error) ||
      !atn_cli_arguments_read_double (arguments, ATN_CLI_OPTION_DPI, 1.0, 10000.0, &size->dpi,
                                      error) ||
      !atn_cli_arguments_read_double (arguments, ATN_CLI_OPTION_WIDTH, 1.0, 100000.0,
                                      &size->width_mm, error))
    return FALSE;

  if (size->dpi == 0.0 && size->width_mm == 0.0 && size->zoom == 0.0)
    size->zoom = 1.0;
  return TRUE;
}

/* Which heads and stages. */
static gboolean
read_kind (const AtnCliArguments *arguments, AtnFigureOptions *figure, GError **error)
{
  if (!atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ALL, ATN_CLI_OPTION_STRIP, error) ||
      !atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ALL, ATN_CLI_OPTION_LAYER, error) ||
      !atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ALL, ATN_CLI_OPTION_HEAD, error) ||
      !atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_STRIP, ATN_CLI_OPTION_STAGE, error) ||
      !atn_cli_arguments_read_size (arguments, ATN_CLI_OPTION_LAYER, 0, &figure->layer, error) ||
      !atn_cli_arguments_read_size (arguments, ATN_CLI_OPTION_HEAD, 0, &figure->head, error) ||
      !atn_cli_read_stage (arguments, &figure->stage, error))
    return FALSE;

  if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_ALL)) {
    figure->kind = ATN_FIGURE_SHEET;
    figure->max_thumbnail = MAX_THUMBNAIL;
  } else if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_STRIP))
    figure->kind = ATN_FIGURE_STRIP;
  else
    figure->kind = ATN_FIGURE_HEAD;
  return TRUE;
}

static gboolean
read_colors (const AtnCliArguments *arguments, AtnFigureOptions *figure, GError **error)
{
  static const char *const ranges[] = { "head", "shared", NULL };
  const char *colormaps[ATN_N_COLORMAPS + 1];
  size_t range = ATN_RANGE_PER_HEAD;
  size_t colormap = ATN_COLORMAP_AUTO;

  for (int i = 0; i < ATN_N_COLORMAPS; i++)
    colormaps[i] = atn_colormap_get_name (i);
  colormaps[ATN_N_COLORMAPS] = NULL;

  if (!atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_COLORMAP, colormaps, &colormap,
                                      error) ||
      !atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_RANGE, ranges, &range, error))
    return FALSE;

  figure->style.colormap = (AtnColormap) colormap;
  figure->range_mode = (AtnRangeMode) range;
  figure->is_log = atn_cli_arguments_has (arguments, ATN_CLI_OPTION_LOG);
  return TRUE;
}

gboolean
atn_cli_run_render (const AtnCliArguments *arguments, GError **error)
{
  Job job = { .figure.stage = ATN_STAGE_PATTERN };
  g_autoptr (AtnResult) result = NULL;
  g_autoptr (AtnFigure) figure = NULL;

  atn_plot_style_init (&job.figure.style);
  if (!read_output (arguments, &job, error) || !read_size (arguments, &job.size, error) ||
      !read_kind (arguments, &job.figure, error) || !read_colors (arguments, &job.figure, error))
    return FALSE;

  result = atn_cli_run_words (arguments, error);
  if (result == NULL ||
      !atn_cli_check_selection (result, job.figure.layer, job.figure.head, job.figure.stage, error))
    return FALSE;

  figure = atn_figure_build (result, &job.figure, NULL, error);
  if (figure == NULL)
    return FALSE;

  return atn_export_write (figure, job.format, &job.size, job.path, error);
}
