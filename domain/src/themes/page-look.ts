import { nearestShadow } from './look-parts.ts';
import type { ElementLook, Look, PageLooks } from './page-look-schema.ts';
import { DARK, LIGHT, readThemeValue, themeFields } from './theme-fields.ts';

/* The theme that follows from how elements of a customer's page look. */

/** A title is in a box of 360 pixels, where the heading of a page would be too large. */
const MAX_TITLE_SIZE = 24;

/** The fields of a theme that looks like the page. Elements that were skipped set nothing. */
export function proposeTheme({ light = {}, dark = {} }: PageLooks): Record<string, string> {
  // Shapes and fonts are the same on light and dark pages.
  const { button, heading, card } = { ...dark, ...light };
  const values: Record<string, string | number | undefined> = {
    ...fonts('style_', card),
    ...fonts('style_title_', heading),
    ...(heading && { style_title_font_size: Math.min(heading.font_size, MAX_TITLE_SIZE) }),
    ...fonts('style_button_', button),
    style_button_radius: button?.radius,
    style_radius: card?.radius,
    style_border_width: card?.border_width,
    style_shadow: card && nearestShadow(card.shadow),
    ...colors(LIGHT, light),
    ...colors(DARK, dark),
  };
  const fields = Object.entries(values).flatMap(([name, value]) => {
    const fitting = value === undefined ? undefined : fit(name, value);
    return fitting === undefined ? [] : [[name, fitting]];
  });
  return Object.fromEntries(fields);
}

function fonts(prefix: string, look: ElementLook | undefined): Record<string, string | number | undefined> {
  return {
    [`${prefix}font`]: look?.font,
    [`${prefix}font_size`]: look?.font_size,
    [`${prefix}font_weight`]: look && Math.round(look.font_weight),
    [`${prefix}line_height`]: look?.line_height,
  };
}

function colors(prefix: string, { button, heading, card, link }: Look): Record<string, string | undefined> {
  return {
    [`${prefix}background`]: card?.background,
    [`${prefix}text`]: card?.color,
    [`${prefix}title`]: heading?.color,
    [`${prefix}link`]: link?.color,
    [`${prefix}border`]: borderOf(card),
    [`${prefix}button_highlight`]: button?.background,
    [`${prefix}button_text`]: button?.color,
    // A button without a border has one of the same color.
    [`${prefix}button_border`]: button && (borderOf(button) ?? button.background),
  };
}

function borderOf(look: ElementLook | undefined): string | undefined {
  return look && look.border_width > 0 ? look.border_color : undefined;
}

/** The value as the field stores it: a number that is too small or too large becomes the nearest one that fits. */
function fit(name: string, value: string | number): string | undefined {
  const field = themeFields[name];
  if (!field) return undefined;
  const { min = 0, max = 0 } = field;
  const text = typeof value === 'number' ? String(Math.round(Math.min(max, Math.max(min, value)) * 100) / 100) : value;
  return readThemeValue(field, text);
}
