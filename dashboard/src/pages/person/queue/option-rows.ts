/** One value for the texts of an Experience, as the form has it. */
export interface OptionRow {
  /** Identifies the row while its name is typed. */
  id: string;
  /** The name, such as `manager.name`, which means `{"manager": {"name": …}}`. */
  key: string;
  text: string;
  /** The previous value. It keeps its type, such as a number, until somebody types another text. */
  original?: unknown;
}

/** The values are a list of names and texts, or typed JSON. */
export type OptionsDraft = { rows: OptionRow[] } | { json: string };

let count = 0;
export function newRow(key = '', text = ''): OptionRow {
  return { id: `row ${++count}`, key, text };
}

/** The options as rows; undefined if rows cannot show them, for example because of lists. */
export function toRows(options: unknown): OptionRow[] | undefined {
  if (options === null || options === undefined) return [];
  if (!isPlainObject(options)) return undefined;
  const rows: OptionRow[] = [];
  const visit = (value: unknown, path: string): boolean => {
    if (!isPlainObject(value)) {
      if (typeof value === 'object' && value !== null) return false;
      rows.push({ ...newRow(path, value === null ? '' : String(value)), original: value });
      return true;
    }
    const entries = Object.entries(value);
    if (entries.length === 0 && path !== '') return false;
    return entries.every(([key, inner]) => isName(key) && visit(inner, path === '' ? key : `${path}.${key}`));
  };
  return visit(options, '') ? rows : undefined;
}

export function toDraft(options: unknown): OptionsDraft {
  const rows = toRows(options);
  return rows ? { rows } : { json: toJson(options) };
}

export const toJson = (options: unknown) => JSON.stringify(options ?? {}, null, 2);

/** The rows, with one for each value that the texts use. */
export function withUsed(rows: readonly OptionRow[], used: readonly string[]): OptionRow[] {
  const missing = used.filter((key) => !rows.some((row) => row.key.trim() === key));
  // The row keeps its ID until something is typed into it.
  return [...rows, ...missing.map((key) => ({ id: `used ${key}`, key, text: '' }))];
}

export type OptionsProblem = { code: 'json' } | { code: 'noKey' } | { code: 'twice' | 'clash'; key: string };
export type OptionsResult = { options: Record<string, unknown> | null } | { problem: OptionsProblem };

/** The options of a draft. A value that the texts use is left out if nothing was typed for it. */
export function readDraft(draft: OptionsDraft, used: readonly string[]): OptionsResult {
  if ('json' in draft) return readJson(draft.json);
  const tree = new Map<string, unknown>();
  for (const row of draft.rows) {
    const key = row.key.trim();
    if (key === '' && row.text === '') continue;
    if (!key.split('.').every(isName)) return { problem: { code: 'noKey' } };
    if (row.text === '' && used.includes(key) && row.original === undefined) continue;
    const problem = put(tree, key, readRow(row));
    if (problem) return { problem };
  }
  return { options: tree.size === 0 ? null : toObject(tree) };
}

function readJson(json: string): OptionsResult {
  if (json.trim() === '') return { options: null };
  try {
    const options: unknown = JSON.parse(json);
    if (!isPlainObject(options)) return { problem: { code: 'json' } };
    return { options: Object.keys(options).length === 0 ? null : options };
  } catch {
    return { problem: { code: 'json' } };
  }
}

function readRow({ text, original }: OptionRow): unknown {
  const isUntouched = original !== undefined && text === (original === null ? '' : String(original));
  return isUntouched ? original : text;
}

function put(tree: Map<string, unknown>, key: string, value: unknown): OptionsProblem | undefined {
  const names = key.split('.');
  const last = names.pop() ?? '';
  let branch = tree;
  for (const [at, name] of names.entries()) {
    const inner = branch.get(name) ?? new Map<string, unknown>();
    if (!(inner instanceof Map)) return { code: 'clash', key: names.slice(0, at + 1).join('.') };
    branch.set(name, inner);
    branch = inner;
  }
  if (branch.has(last)) return { code: branch.get(last) instanceof Map ? 'clash' : 'twice', key };
  branch.set(last, value);
  return undefined;
}

/** `Object.fromEntries` also takes names such as `__proto__` as they are. */
function toObject(tree: Map<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...tree].map(([key, value]) => [key, value instanceof Map ? toObject(value) : value]));
}

const isName = (name: string) => name !== '' && name.trim() === name && !name.includes('.');

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
