import { normalizeKey } from '../ingestion/key.ts';
import type { MergeTag, MergeTest } from './merge.ts';
import { readSource } from './source-reader.ts';
import { names, TagScanner } from './tag-scanner.ts';
import { TestReader } from './test-reader.ts';
import { shorten } from './text-problem.ts';

export interface ConditionTag {
  keyword: 'if' | 'else' | 'end';
  /** Only `{{#if …}}` and `{{else if …}}` have a test. */
  test?: MergeTest;
  /** The index of the tag that ends this branch. */
  next: number;
  /** The source of the tag and its position, for messages. */
  source: string;
  at: number;
}

/** How other languages name what exists here, to say how it is written. */
const nearestTags = new Map([
  ['unless', '{{if !plan}}'],
  ['endif', '{{/if}}'],
  ['end', '{{/if}}'],
  ['elif', '{{elseif plan == "gold"}}'],
  ['elseunless', '{{elseif !plan}}'],
  ['timeago', '{{time_ago created_at}}'],
  ['timesince', '{{time_ago created_at}}'],
  ['fromnow', '{{time_ago created_at}}'],
]);

/** Parses the tag that begins at a position, and stops at the first problem, so it reads every character once. */
export function readTag(source: string, start: number): { token: MergeTag | ConditionTag; end: number } {
  const scanner = new TagScanner(source, start);
  const token = readBody(scanner, start);
  if (!scanner.take('}}')) scanner.fail(`is not understood from \`${scanner.rest()}\` on`);
  if ('keyword' in token) token.source = scanner.excerpt();
  return { token, end: scanner.at };
}

function readBody(scanner: TagScanner, start: number): MergeTag | ConditionTag {
  const fork = (keyword: ConditionTag['keyword'], isTested = false): ConditionTag => {
    const test = isTested ? new TestReader(scanner).read() : undefined;
    return { keyword, ...(test && { test }), next: -1, source: '', at: start };
  };
  for (const sign of ['#', '/'] as const)
    if (scanner.take(sign)) {
      const word = scanner.match(names) ?? scanner.fail(`is not understood after \`${sign}\``);
      return word === 'if' ? fork(sign === '#' ? 'if' : 'end', sign === '#') : failUnknown(scanner, word);
    }
  const name = scanner.match(names) ?? scanner.fail('names no property: write it as `{{first_name}}`');
  switch (name) {
    case 'if':
      return fork('if', true);
    case 'elseif':
    case 'elsif':
      return fork('else', true);
    case 'else': {
      const then = scanner.match(names);
      if (then === undefined) return fork('else');
      return then === 'if' ? fork('else', true) : failUnknown(scanner, `else${then}`);
    }
    default:
      return readMergeTag(scanner, name);
  }
}

function failUnknown(scanner: TagScanner, word: string): never {
  const nearest = nearestTags.get(word);
  return scanner.fail(
    nearest
      ? `is not understood: write it as \`${nearest}\``
      : 'is not understood: there are only `{{#if …}}`, `{{else if …}}`, `{{else}}` and `{{/if}}`',
  );
}

function readMergeTag(scanner: TagScanner, name: string): MergeTag {
  const source = readSource(scanner, name);
  if (scanner.take('|')) return { ...source, or: readPipedFallback(scanner) };
  const option = scanner.match(names);
  if (option === undefined) return source;
  if (!scanner.take('=')) failHelper(scanner, name);
  if (option !== 'fallback')
    scanner.fail(
      `has the option \`${shorten(option)}\`, which does not exist: write it as \`{{first_name fallback="there"}}\``,
    );
  const or = scanner.quoted() ?? scanner.fail('needs its fallback in quotes, as `fallback="there"`');
  return { ...source, or };
}

function readPipedFallback(scanner: TagScanner): string {
  if (scanner.take('|')) scanner.fail('is not understood: write a fallback as `{{first_name fallback="there"}}`');
  const word = scanner.match(names) ?? scanner.fail('is not understood after `|`');
  if (word !== 'fallback') scanner.fail(`is not understood: after \`|\` only \`fallback: "…"\` can follow`);
  const text = scanner.take(':') ? scanner.quoted() : undefined;
  return text ?? scanner.fail('needs its fallback in quotes, as `fallback: "there"`');
}

/** Rejects a tag in which another word stands behind the name. */
function failHelper(scanner: TagScanner, name: string): never {
  const nearest = nearestTags.get(normalizeKey(name).replaceAll('_', ''));
  return scanner.fail(
    `is not understood: there is no helper \`${shorten(name)}\`${nearest ? `, write it as \`${nearest}\`` : ': only `answer`, `delivery`, `global` and `time_ago`'}`,
  );
}
