/** A property that a text can name. */
export interface MergeProperty {
  /** The name in a merge tag: `first_name`, `company.plan`. */
  path: string;
  /** The name that people know. */
  name: string;
  sample: string | undefined;
}

/** The properties that every account has. */
const own: readonly MergeProperty[] = ['name', 'first_name', 'last_name', 'email'].map((path) => ({
  path,
  name: path,
  sample: undefined,
}));

interface SeenProperty {
  prop: string;
  name: string;
  values: readonly unknown[];
}

/** All properties that texts can name, with a value that was seen. */
export function listMergeProperties(
  profile: readonly SeenProperty[],
  company: readonly SeenProperty[],
): MergeProperty[] {
  const of = (properties: readonly SeenProperty[], prefix: string) =>
    properties.map(({ prop, name, values }) => ({
      path: `${prefix}${prop}`,
      name,
      sample: values.find((value) => value !== null && typeof value !== 'object')?.toString(),
    }));
  const seen = [...of(profile, ''), ...of(company, 'company.')];
  const isBuiltIn = ({ path }: MergeProperty) => own.some((one) => one.path === path);
  // What the product sends itself comes first.
  return [
    ...seen.filter((one) => !isBuiltIn(one)),
    ...own.map((one) => seen.find(({ path }) => path === one.path) ?? one),
  ];
}

/** Builds the merge tag of a property. Quotes are removed from the fallback, because they would end it. */
export function buildMergeTag(path: string, fallback: string): string {
  const text = fallback.trim().replaceAll('"', '\u201d');
  const name = /^[\w.]+$/.test(path) ? path : `"${path}"`;
  return text ? `{{${name} | fallback: "${text}"}}` : `{{${name}}}`;
}
