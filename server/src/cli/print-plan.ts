import type { ChangeSummary, ChangeUpdate } from '@usher/domain';
import type { Applied } from '../features/experiences/files/apply-files.ts';

/** Words for what happens to a file. */
const signs = { create: '+', update: '~', none: ' ', missing: '?', archive: '-' } as const;
const MAX_VALUE = 120;

export function hasDiff({ action, publishes }: Applied): boolean {
  return publishes || (action !== 'none' && action !== 'missing');
}

/** Prints what changes, and what is not in the folder. */
export function formatPlan(records: readonly Applied[]): string {
  const names = namesOf(records);
  const shown = records.filter((record) => hasDiff(record) || record.action === 'missing');
  const lines = shown.flatMap((record) => [
    `${signs[record.action]} ${record.file}  ${toLine(record.name)}${noteOf(record)}`,
    ...describe(record.summary, names).map((line) => `    ${line}`),
  ]);
  return `${[...lines, ...(lines.length > 0 ? [''] : []), countAll(records)].join('\n')}\n`;
}

/** The same for a pull request. */
export function formatMarkdown(records: readonly Applied[]): string {
  const names = namesOf(records);
  const changed = records.filter(hasDiff);
  const missing = records.filter(({ action }) => action === 'missing');
  const parts = changed.map((record) => {
    const lines = describe(record.summary, names);
    const title = `**${signs[record.action]} ${code(`${record.file}.yaml`)}** ${escapeMarkdown(record.name)}${noteOf(record)}`;
    return lines.length === 0 ? title : `${title}\n\n${fence(lines)}`;
  });
  const left = missing.map(({ file, name }) => `- ${code(file)} ${escapeMarkdown(name)}`);
  return `${[
    '### Usher',
    countAll(records),
    ...parts,
    ...(left.length > 0 ? [`Not in the folder, and left as they are:\n\n${left.join('\n')}`] : []),
  ].join('\n\n')}\n`;
}

function noteOf({ action, publishes, summary }: Applied): string {
  if (action === 'missing') return ' (not in the folder: it stays as it is)';
  if (action === 'archive') return ' (not in the folder: archived)';
  if (!publishes) return '';
  return summary ? ' (and published)' : ' (published)';
}

function countAll(records: readonly Applied[]): string {
  const count = (action: Applied['action']) => records.filter((record) => record.action === action).length;
  const published = records.filter(({ publishes }) => publishes).length;
  const parts = [
    [count('create'), 'new'],
    [count('update'), 'changed'],
    [count('archive'), 'archived'],
    [published, 'published'],
    [count('missing'), 'not in the folder'],
  ] as const;
  const words = parts.flatMap(([number, word]) => (number > 0 ? `${number} ${word}` : []));
  return words.length > 0
    ? `${words.join(', ')}, ${count('none')} unchanged`
    : `Nothing to change in ${count('none')} files`;
}

/** One line for each changed field, as the dialog to publish shows it. */
function describe(summary: ChangeSummary | null, names: ReadonlyMap<string, string>): string[] {
  if (!summary) return [];
  const own = summary.object ? describeUpdate('', summary.kind, summary.object, names) : [];
  const parts = summary.changes.flatMap(({ path, kind, object }) =>
    object ? describeUpdate(path, kind, object, names) : [],
  );
  return summary.kind === 'create' ? [...own.slice(0, 1), ...parts] : [...own, ...parts];
}

function describeUpdate(
  path: string,
  kind: string,
  { name, description, value }: ChangeUpdate,
  names: ReadonlyMap<string, string>,
): string[] {
  const place = path === '' || path === 'model' ? '' : `${path}: `;
  if (kind !== 'update' || !Array.isArray(value)) return [`${place}${toLine(description ?? name)}`];
  const fields = name.split(', ');
  const [before, after] = value as [unknown, unknown];
  const at = (side: unknown, field: string) => (fields.length === 1 ? side : (side as Record<string, unknown>)[field]);
  return fields.map((field) => {
    const shown = [before, after].map((side) => formatValue(at(side, field), names));
    return `${place}${field}: ${shown[0]} → ${shown[1]}`;
  });
}

/** JSON escapes what could write to a terminal. IDs are shown as the files that they stand for. */
function formatValue(value: unknown, names: ReadonlyMap<string, string>): string {
  const text = (JSON.stringify(value ?? null) ?? 'null').replace(/[0-9a-f]{24}/g, (id) => names.get(id) ?? id);
  const characters = [...text];
  return characters.length > MAX_VALUE ? `${characters.slice(0, MAX_VALUE).join('')}…` : text;
}

function namesOf(records: readonly Applied[]): Map<string, string> {
  return new Map(records.map(({ id, file }) => [id, file]));
}

function toLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function escapeMarkdown(text: string): string {
  return toLine(text).replace(/[\\`*_[\]<>@#|~]/g, '\\$&');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The fence is longer than any that the lines have. */
function fence(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${lines.join('\n')}\n${ticks}`;
}
