import { type Ago, type MergeSource, type MergeTag, parseText } from '@usher/domain';

/** A property that a text can name. */
export interface MergeProperty {
  /** The name in a merge tag: `first_name`, `company.plan`. */
  path: string;
  /** The name that people know. */
  name: string;
  sample: string | undefined;
  /** Whether times were seen in it. */
  isTime: boolean;
}

/** The properties that every account has. */
const own: readonly MergeProperty[] = ['name', 'first_name', 'last_name', 'email'].map((path) => ({
  path,
  name: path,
  sample: undefined,
  isTime: false,
}));

interface SeenProperty {
  prop: string;
  name: string;
  types: readonly string[];
  values: readonly unknown[];
}

/** All properties that texts can name, with a value that was seen. */
export function listMergeProperties(
  profile: readonly SeenProperty[],
  company: readonly SeenProperty[],
): MergeProperty[] {
  const of = (properties: readonly SeenProperty[], prefix: string) =>
    properties.map(({ prop, name, types, values }) => ({
      path: `${prefix}${prop}`,
      name,
      sample: values.find((value) => value !== null && typeof value !== 'object')?.toString(),
      isTime: types.includes('timestamp'),
    }));
  const seen = [...of(profile, ''), ...of(company, 'company.')];
  const isBuiltIn = ({ path }: MergeProperty) => own.some((one) => one.path === path);
  // What the product sends itself comes first.
  return [
    ...seen.filter((one) => !isBuiltIn(one)),
    ...own.map((one) => seen.find(({ path }) => path === one.path) ?? one),
  ];
}

/** What the path of an answer begins with. No property has a colon in its name. */
export const ANSWER = 'answer:';

/** What the menu can change of a merge tag. */
export interface EditedTag {
  /** The name of a property, or `answer:` and the ID of a step. */
  path: string;
  /** How long ago the time in the property was, instead of the time itself. */
  ago: Ago | undefined;
  fallback: string;
}

export function buildMergeTag({ path, ago, fallback }: EditedTag): string {
  const or = fallback.trim();
  if (path.startsWith(ANSWER)) return formatMergeTag({ answer: path.slice(ANSWER.length), ...(or && { or }) });
  return formatMergeTag({ prop: path, ...(ago && { ago }), ...(or && { or }) });
}

/** Undefined for a merge tag of a Delivery or of the page, which the menu cannot change. */
export function readEditedTag(text: string): EditedTag | undefined {
  const tag = readMergeTag(text);
  if (tag && 'answer' in tag) return { path: ANSWER + tag.answer, ago: undefined, fallback: tag.or ?? '' };
  return tag && 'prop' in tag ? { path: tag.prop, ago: tag.ago, fallback: tag.or ?? '' } : undefined;
}

/** The parts of a merge tag, if the text is one merge tag and nothing else. */
export function readMergeTag(tag: string): MergeTag | undefined {
  const parts = parseText(tag);
  if ('problem' in parts || parts.length !== 1) return undefined;
  const [only] = parts;
  return typeof only === 'object' && !('if' in only) ? only : undefined;
}

export function formatMergeTag(tag: MergeTag): string {
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const name = formatSource(tag, quote);
  return tag.or === undefined ? `{{${name}}}` : `{{${name} | fallback: ${quote(tag.or)}}}`;
}

function formatSource(source: MergeSource, quote: (text: string) => string): string {
  if ('option' in source) return `delivery ${quote(source.option)}`;
  if ('global' in source) return `global ${quote(source.global)}`;
  if ('answer' in source) return `answer ${quote(source.answer)}`;
  const { prop, ago } = source;
  if (ago === undefined) return prop;
  return ago === 'words' ? `time_ago ${prop}` : `time_ago ${prop} in=${quote(ago)}`;
}
