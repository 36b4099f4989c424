import type { Filter, GroupOp } from '../targeting/filter.ts';
import { stylesOf, themeFields } from './theme-fields.ts';

/* A theme as it is stored. Without the schemas of the API, so that the dashboard can use it in the browser. */

/** What a theme looks like for some users. */
export interface ThemeVariation {
  name: string;
  filters: Filter[];
  filters_op: GroupOp;
  /** Other values for fields with a look. A text with merge tags is resolved for each user. */
  overrides: Record<string, string>;
}

/** A theme as administrators edit it. */
export type ThemeDocument = {
  name: string;
  description: string | null;
  /** Whether Experiences without a theme have this one. It takes effect without publishing. */
  default: boolean;
  published_at: string | null;
  css: string | null;
  variations: ThemeVariation[];
} & Record<`style_${string}`, string | null>;

export const styleNames = Object.keys(themeFields) as `style_${string}`[];
const noStyles = Object.fromEntries(styleNames.map((name) => [name, null]));
/** The names of all fields, in their order. */
export const themeFieldNames = ['name', 'description', 'default', 'published_at', 'css', 'variations', ...styleNames];

export function emptyTheme(name: string): ThemeDocument {
  return {
    ...{ name, description: null, default: false, published_at: null, css: null, variations: [] },
    ...noStyles,
  } as ThemeDocument;
}

/** PostgreSQL changes the order of JSON keys. Responses have them in the order of the fields. */
export function sortTheme(theme: ThemeDocument): ThemeDocument {
  const variations = theme.variations.map(({ name, filters, filters_op, overrides }) => ({
    ...{ name, filters, filters_op },
    overrides: Object.fromEntries(styleNames.flatMap((key) => (overrides[key] ? [[key, overrides[key]]] : []))),
  }));
  const { name, description, default: isDefault, published_at, css } = theme;
  return { ...{ name, description, default: isDefault, published_at, css, variations }, ...stylesOf(theme) };
}
