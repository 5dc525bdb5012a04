/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-calculation.h"

#include "app/atn-format.h"

#include <glib/gi18n.h>

typedef struct
{
  const char *name;
  const char *symbol;
  const char *explanation;
  bool is_first_of_step;
} Description;

static const Description lines[ATN_N_LINES] = {
  [ATN_LINE_QUERY_NORM] = { N_ ("Query length"), "|q|",
                            N_ ("How strongly the token of this row asks") },
  [ATN_LINE_KEY_NORM] = { N_ ("Key length"), "|k|",
                          N_ ("How strongly the token of this column offers itself") },
  [ATN_LINE_COSINE] = { N_ ("Cosine"), "cos θ",
                        N_ ("Of the angle between query and key: 1 if they point the same way") },
  [ATN_LINE_UNROTATED] = { N_ ("Without positions"), "q·k",
                           N_ ("The dot product before the rotation by position") },
  [ATN_LINE_DOT] = { N_ ("Dot product"), "q·k", N_ ("How well query and key match") },
  [ATN_LINE_SCALE] = { N_ ("Scale"), "", N_ ("Keeps scores small whatever the width of the head"),
                       true },
  [ATN_LINE_SCALED] = { N_ ("Scaled score"), "s", N_ ("The dot product times the scale") },
  [ATN_LINE_CAPPED] = { N_ ("Capped score"), "",
                        N_ ("The score bent so that it does not pass a limit"), true },
  [ATN_LINE_POSITION_TERM] = { N_ ("Position term"), "",
                               N_ ("What the places of the two tokens add, whatever they say"),
                               true },
  [ATN_LINE_BIASED] = { N_ ("Score with position"), "",
                        N_ ("The score and the position term together") },
  [ATN_LINE_MASK] = { N_ ("Mask"), "",
                      N_ ("Whether the token of this row may look at the one of this column"),
                      true },
  [ATN_LINE_TEMPERATURE] = { N_ ("Temperature"), "T",
                             N_ ("Scores are divided by it: below 1 sharpens, above 1 spreads") },
  [ATN_LINE_EXP] = { N_ ("Exponential"), "",
                     N_ ("The score is made positive; the largest of the row becomes 1"), true },
  [ATN_LINE_ROW_SUM] = { N_ ("Row sum"), "Σ", N_ ("Of the exponentials of all visible tokens") },
  [ATN_LINE_WEIGHT] = { N_ ("Weight"), "", N_ ("The share of the attention") },
  [ATN_LINE_VALUE_NORM] = { N_ ("Value length"), "‖v W_O‖",
                            N_ ("Of what this head would write if all attention went here"), true },
  [ATN_LINE_CONTRIBUTION] = { N_ ("Contribution"), "",
                              N_ ("Length of what this head really adds from here") },
};

const char *
atn_line_get_name (AtnLine self)
{
  return _ (lines[self].name);
}

const char *
atn_line_get_symbol (AtnLine self)
{
  return lines[self].symbol;
}

const char *
atn_line_get_explanation (AtnLine self)
{
  return _ (lines[self].explanation);
}

bool
atn_line_is_first_of_step (AtnLine self)
{
  return lines[self].is_first_of_step;
}

bool
atn_line_is_present (AtnLine self, const AtnConfig *config, const AtnWhatIf *what_if)
{
  switch ((int) self) {
  case ATN_LINE_UNROTATED:
    return atn_stage_is_present (ATN_STAGE_UNROTATED, config, what_if);
  case ATN_LINE_CAPPED:
    return atn_stage_is_present (ATN_STAGE_CAPPED, config, what_if);
  case ATN_LINE_POSITION_TERM:
  case ATN_LINE_BIASED:
    return atn_stage_is_present (ATN_STAGE_BIASED, config, what_if);
  case ATN_LINE_TEMPERATURE:
    return atn_what_if_get_temperature (what_if) != 1.0f;
  default:
    return true;
  }
}

static double
get_number (AtnLine self, const AtnCell *cell)
{
  switch (self) {
  case ATN_LINE_QUERY_NORM:
    return cell->q_norm;
  case ATN_LINE_KEY_NORM:
    return cell->k_norm;
  case ATN_LINE_COSINE:
    return cell->cosine;
  case ATN_LINE_UNROTATED:
    return cell->unrotated;
  case ATN_LINE_DOT:
    return cell->dot;
  case ATN_LINE_SCALE:
    return cell->scale;
  case ATN_LINE_SCALED:
    return cell->scaled;
  case ATN_LINE_CAPPED:
    return cell->capped;
  case ATN_LINE_POSITION_TERM:
    return cell->position_term;
  case ATN_LINE_BIASED:
    return cell->biased;
  case ATN_LINE_TEMPERATURE:
    return cell->temperature;
  case ATN_LINE_EXP:
    return cell->exp;
  case ATN_LINE_ROW_SUM:
    return cell->row_sum;
  case ATN_LINE_WEIGHT:
    return cell->weight;
  case ATN_LINE_VALUE_NORM:
    return cell->value_norm;
  case ATN_LINE_CONTRIBUTION:
    return cell->contribution;
  case ATN_LINE_MASK:
  case ATN_N_LINES:
  default:
    g_return_val_if_reached (0.0);
  }
}

char *
atn_line_dup_value (AtnLine self, const AtnCell *cell)
{
  if (self == ATN_LINE_MASK)
    return g_strdup (cell->is_forbidden ? _ ("forbidden") : _ ("visible"));
  return atn_format_dup_number (get_number (self, cell));
}

static char *
join_numbers (double a, const char *sign, double b)
{
  g_autofree char *a_text = atn_format_dup_number (a);
  g_autofree char *b_text = atn_format_dup_operand (b);

  return g_strconcat (a_text, sign, b_text, NULL);
}

static char *
dup_exp_detail (const AtnCell *cell)
{
  g_autofree char *difference = NULL;

  if (cell->is_forbidden)
    return g_strdup ("exp (−∞)");
  difference = join_numbers (cell->biased / cell->temperature, " − ", cell->row_max);
  return g_strconcat ("exp (", difference, ")", NULL);
}

static char *
dup_weight_detail (const AtnCell *cell)
{
  g_autofree char *quotient = join_numbers (cell->exp, " ÷ ", cell->row_sum);
  g_autofree char *percent = atn_format_dup_percent (cell->weight);

  if (cell->n_visible == 0)
    return g_strdup (_ ("no visible token: defined as 0"));
  /* "< 0.001 %" is not equal to anything. */
  return g_strconcat (quotient, g_ascii_isdigit (*percent) ? " = " : " ", percent, NULL);
}

static char *
dup_dot_detail (const AtnCell *cell)
{
  g_autofree char *q_norm = atn_format_dup_number (cell->q_norm);
  g_autofree char *k_norm = atn_format_dup_number (cell->k_norm);
  g_autofree char *cosine = atn_format_dup_operand (cell->cosine);

  return g_strdup_printf ("%s × %s × %s", q_norm, k_norm, cosine);
}

static char *
dup_cap_detail (const AtnCell *cell)
{
  g_autofree char *cap = atn_format_dup_number (cell->cap);
  g_autofree char *quotient = join_numbers (cell->scaled, " ÷ ", cell->cap);

  return g_strdup_printf ("%s × tanh (%s)", cap, quotient);
}

static char *
dup_position_detail (const AtnCell *cell)
{
  g_autofree char *slope = atn_format_dup_number (cell->slope);
  const int distance = (int) cell->key - (int) cell->query;

  if (cell->has_bucket)
    /* Translators: a range of distances from one token to another, such as −12 to −16, has one
     * learned number; the ranges are counted from 0. “distance −14: bucket 9” */
    return g_strdup_printf (_ ("distance %s%d: bucket %zu"), distance < 0 ? "−" : "+",
                            ABS (distance), cell->bucket);
  /* Translators: the slope of ALiBi and the place of a token, counted from 0: “0.2500 × 7” */
  return g_strdup_printf (_ ("slope %s × key %zu"), slope, cell->key);
}

char *
atn_line_dup_detail (AtnLine self, const AtnCell *cell)
{
  switch (self) {
  case ATN_LINE_DOT:
    return dup_dot_detail (cell);
  case ATN_LINE_SCALED:
    return join_numbers (cell->dot, " × ", cell->scale);
  case ATN_LINE_CAPPED:
    return dup_cap_detail (cell);
  case ATN_LINE_POSITION_TERM:
    return dup_position_detail (cell);
  case ATN_LINE_BIASED:
    return join_numbers (cell->capped, " + ", cell->position_term);
  case ATN_LINE_EXP:
    return dup_exp_detail (cell);
  case ATN_LINE_ROW_SUM:
    return g_strdup_printf (ngettext ("over %zu visible token", "over %zu visible tokens",
                                      cell->n_visible),
                            cell->n_visible);
  case ATN_LINE_WEIGHT:
    return dup_weight_detail (cell);
  case ATN_LINE_CONTRIBUTION:
    return join_numbers (cell->weight, " × ", cell->value_norm);
  case ATN_LINE_QUERY_NORM:
  case ATN_LINE_KEY_NORM:
  case ATN_LINE_COSINE:
  case ATN_LINE_UNROTATED:
  case ATN_LINE_SCALE:
  case ATN_LINE_MASK:
  case ATN_LINE_TEMPERATURE:
  case ATN_LINE_VALUE_NORM:
  case ATN_N_LINES:
  default:
    return NULL;
  }
}
