import type { Applied } from '../features/experiences/files/apply-files.ts';
import { describeRecord, inOneLine } from './describe-record.ts';

/** Words for what happens to a file. */
const signs = { create: '+', update: '~', none: ' ', missing: '?', archive: '-' } as const;

export function hasDiff({ action, publishes }: Applied): boolean {
  return publishes || (action !== 'none' && action !== 'missing');
}

/** Prints what changes, and what is not in the folder. */
export function formatPlan(records: readonly Applied[]): string {
  const names = namesOf(records);
  const shown = records.filter((record) => hasDiff(record) || record.action === 'missing');
  const lines = shown.flatMap((record) => [
    `${signs[record.action]} ${record.file}  ${inOneLine(record.name)}${noteOf(record)}`,
    ...describeRecord(record, names).map((line) => `    ${line}`),
  ]);
  return `${[...lines, ...(lines.length > 0 ? [''] : []), countAll(records)].join('\n')}\n`;
}

/** The same for a pull request. */
export function formatMarkdown(records: readonly Applied[]): string {
  const names = namesOf(records);
  const changed = records.filter(hasDiff);
  const missing = records.filter(({ action }) => action === 'missing');
  const parts = changed.map((record) => {
    const lines = describeRecord(record, names);
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
    : `Nothing to change in ${count('none')} ${count('none') === 1 ? 'file' : 'files'}`;
}

function namesOf(records: readonly Applied[]): Map<string, string> {
  return new Map(records.map(({ id, name }) => [id, name]));
}

function escapeMarkdown(text: string): string {
  return inOneLine(text).replace(/[\\`*_[\]<>@#|~]/g, '\\$&');
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
