import Type, { type Static, type TProperties } from 'typebox';
import { addProblem, formatChoices, isRecord } from '../basics/input.ts';
import {
  Id,
  Nullable,
  notInFiles,
  OneOf,
  OutputObject,
  SeenUpdatedAt,
  standardFields,
  Text,
  Time,
  Timestamp,
} from '../basics/schema.ts';
import { type Millis, toTimestamp } from '../basics/time.ts';
import { plainText, resolve } from '../rich-text/merge.ts';
import { listMergePaths, parseText } from '../rich-text/merge-tag.ts';
import { type Filter, groupOps } from '../targeting/filter.ts';
import { Filters } from '../targeting/segment.ts';
import { styleNames, type ThemeDocument, type ThemeVariation } from './theme-document.ts';
import { describeThemeValue, readThemeValue, type ThemeField, themeFields } from './theme-fields.ts';

/* A theme as the API reads and shows it. */

export const MAX_THEMES = 100;
const MAX_VARIATIONS = 20;
const MAX_CSS = 20_000;
const MAX_OVERRIDE = 500;

const VariationOutput = OutputObject({
  name: Type.String(),
  filters: Type.Unsafe<Filter[]>({ type: 'array', items: { type: 'object' } }),
  filters_op: OneOf(groupOps),
  overrides: Type.Record(Type.String(), Type.String()),
});

/** A theme as the API shows it. */
export const Theme = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  default: Type.Boolean(),
  published_at: Nullable(Timestamp),
  /** Whether the draft was changed since it was published. */
  has_unpublished_changes: Type.Boolean(),
  css: Nullable(Type.String()),
  variations: Type.Array(VariationOutput),
  ...mapStyles(() => Nullable(Type.String())),
  /** What uses it in its draft, in words. */
  content_summary: Nullable(Type.String()),
  experiences_count: Type.Integer(),
  dashboard_url: Type.String(),
});
export type Theme = ThemeDocument & {
  id: string;
  created_at: string;
  updated_at: string;
  has_unpublished_changes: boolean;
  content_summary: string | null;
  experiences_count: number;
  dashboard_url: string;
};

/** Fields with the same values have the same schema, which `/openapi.json` then has once. */
const styleSchemas = new Map<string, TProperties[string]>();
const styleParameters = mapStyles((field) => {
  const description = describeThemeValue(field);
  const schema =
    styleSchemas.get(description) ??
    Type.Optional(Nullable(Type.Unsafe<string>({ type: 'string', format: 'style', description })));
  styleSchemas.set(description, schema);
  return schema;
});
const VariationParameter = Type.Object({
  name: Text('the name of the variation'),
  filters: Type.Unsafe<Filter[]>({ ...Filters, default: [] }),
  filters_op: OneOf(groupOps, { default: 'and' }),
  overrides: Type.Unsafe<Record<string, unknown>>({
    ...{ type: 'object', properties: {}, additionalProperties: true, default: {} },
    description: 'an object such as `{"style_color_background": "ffffff"}`',
  }),
});
const parameters = {
  description: Type.Optional(Nullable(Text('a description', 1000))),
  default: Type.Optional(Type.Boolean()),
  published_at: Type.Optional(notInFiles(Nullable(Time))),
  css: Type.Optional(Nullable(Text('a style sheet', MAX_CSS))),
  variations: Type.Optional(
    Type.Unsafe<Static<typeof VariationParameter>[]>({
      ...Type.Array(VariationParameter),
      maxItems: MAX_VARIATIONS,
      description: 'a list of variations',
    }),
  ),
  ...styleParameters,
};
const name = Text('the name of the theme');
export const CreateTheme = Type.Object({ name, ...parameters });
export const UpdateTheme = Type.Object({
  name: Type.Optional(name),
  ...parameters,
  updated_at: SeenUpdatedAt,
  autosave: Type.Optional(Type.Boolean()),
});

export const ImportTheme = Type.Object({ name: Type.Optional(name), ...parameters });

/** Some fields of a theme, as a request has them. */
export interface ThemeInput {
  name?: string;
  description?: string | null;
  default?: boolean;
  published_at?: Millis | null;
  css?: string | null;
  variations?: Static<typeof VariationParameter>[];
  [style: `style_${string}`]: unknown;
}

/** The theme after a request with these fields. */
export function writeTheme(before: ThemeDocument, input: ThemeInput, problems: string[]): ThemeDocument {
  const { name, description, default: isDefault, published_at, css, variations } = input;
  const written: ThemeDocument = {
    ...before,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(isDefault !== undefined && { default: isDefault }),
    ...(published_at !== undefined && { published_at: published_at === null ? null : toTimestamp(published_at) }),
    ...(css !== undefined && { css }),
    ...(variations && { variations: variations.map((one, at) => writeVariation(one, `variations[${at}]`, problems)) }),
  };
  for (const style of styleNames) {
    const value = input[style];
    if (value === undefined) continue;
    written[style] = value === null ? null : (writeStyle(style, String(value), style, problems) ?? null);
  }
  return written;
}

function writeVariation(
  { name, filters, filters_op, overrides }: Static<typeof VariationParameter>,
  path: string,
  problems: string[],
): ThemeVariation {
  checkFilters(filters, `${path}.filters`, problems);
  const written: Record<string, string> = {};
  for (const [style, value] of Object.entries(isRecord(overrides) ? overrides : {})) {
    const at = `${path}.overrides.${style}`;
    if (value === null) continue;
    if (typeof value !== 'string' && typeof value !== 'number') addProblem(problems, at, 'must be a text');
    else {
      const text = String(value).trim();
      const read = text.includes('{{') ? writeMerged(style, text, at, problems) : writeStyle(style, text, at, problems);
      if (read !== undefined) written[style] = read;
    }
  }
  return { name, filters, filters_op, overrides: written };
}

function writeStyle(style: string, value: string, path: string, problems: string[]): string | undefined {
  const field = findField(style, path, problems);
  if (!field) return undefined;
  return readThemeValue(field, value) ?? addProblem(problems, path, `must be ${describeThemeValue(field)}`);
}

/** Checks a text with merge tags. What users have for them is checked when it is used. */
function writeMerged(style: string, text: string, path: string, problems: string[]): string | undefined {
  const field = findField(style, path, problems);
  if (!field) return undefined;
  if (text.length > MAX_OVERRIDE) return addProblem(problems, path, `must have ${MAX_OVERRIDE} characters at most`);
  if (text.includes('\0') || !text.isWellFormed())
    return addProblem(problems, path, 'must be valid Unicode without NUL characters');
  const parsed = parseText(text);
  if ('problem' in parsed) return addProblem(problems, path, `cannot be read: ${parsed.problem}`);
  const { options, globals } = listMergePaths(parsed);
  if (options.length + globals.length > 0)
    return addProblem(
      problems,
      path,
      'must name properties of the user or of the Company, not of a Delivery or the page',
    );
  const fallback = plainText(resolve(parsed, () => undefined)).trim();
  if (fallback !== '' && readThemeValue(field, fallback) === undefined)
    return addProblem(problems, path, `has a fallback that is not ${describeThemeValue(field)}`);
  return text;
}

function findField(style: string, path: string, problems: string[]): ThemeField | undefined {
  if (Object.hasOwn(themeFields, style)) return themeFields[style];
  return addProblem(problems, path, 'is no field of a theme: give fields such as `style_color_background`');
}

const variationKinds: readonly Filter['kind'][] = ['property', 'segment', 'group'];
const userFacts = ['id', 'uid', 'email'];

/** A page load chooses the variation, so it depends on nothing that would have to be read for it. */
function checkFilters(filters: readonly Filter[], path: string, problems: string[]): void {
  for (const [index, filter] of filters.entries()) {
    const at = `${path}[${index}]`;
    if (filter.kind === 'group') checkFilters(filter.filters, `${at}.filters`, problems);
    else if (!variationKinds.includes(filter.kind))
      addProblem(
        problems,
        `${at}.kind`,
        `must be ${formatChoices(variationKinds)}: variations depend on properties of the user and of the Company, and on Segments of these`,
      );
    // Themes keep nothing of one user, so that there is nothing to remove from them when a user is forgotten.
    else if (filter.kind === 'property' && userFacts.includes(filter.prop))
      addProblem(problems, `${at}.prop`, 'names single users: make a Segment of them, and give its ID');
  }
}

function mapStyles<To extends TProperties[string]>(change: (field: ThemeField) => To): Record<string, To> {
  return Object.fromEntries(styleNames.map((name) => [name, change(themeFields[name] as ThemeField)]));
}

/** What deleting a theme needs to know when Experiences have it. */
export const DeleteTheme = Type.Object({
  replacement_id: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...Id,
        description:
          'the ID of the theme to use instead, or null for the default one; for the default one itself, null for the look of the script',
      }),
    ),
  ),
});
