import { formatChoices } from '../basics/input.ts';
import { normalizeKey } from '../ingestion/key.ts';
import type { MergeSource } from './merge.ts';
import { names, type TagScanner } from './tag-scanner.ts';
import { shorten } from './text-problem.ts';
import { agoUnits } from './time-ago.ts';

/** Reads what a tag or a condition names first: a property, or a helper with what it needs. */
export function readSource(scanner: TagScanner, name: string): MergeSource {
  if (name === 'answer') {
    const step = scanner.quoted();
    if (step === '') scanner.fail('names no step: write the ID of a step, as `{{answer "5fb70dcbc39330000325a817"}}`');
    if (step !== undefined) return { answer: step };
  }
  if (name === 'delivery' || name === 'global') {
    const path = scanner.quoted();
    const example = name === 'delivery' ? '{{delivery "manager.name"}}' : '{{global "app.user.plan"}}';
    if (path === '') scanner.fail(`names no ${name === 'delivery' ? 'option' : 'value'}: write it as \`${example}\``);
    if (path !== undefined) return name === 'delivery' ? { option: path } : { global: checkGlobal(scanner, path) };
    const next = scanner.peek(helperPath);
    if (next) scanner.fail(`needs its path in quotes: write it as \`${example}\``);
  }
  if (name === 'time_ago') {
    if (scanner.peek(quote)) scanner.fail('names its property in quotes: write it as `{{time_ago created_at}}`');
    // Without a property behind it, it is the name of one.
    if (scanner.peek(names) !== undefined && !scanner.peek(anyOption)) return readTimeAgo(scanner);
  }
  return { prop: readProperty(scanner, name) };
}

const quote = /["']/y;
const anyOption = /fallback\s*=(?!=)/y;
const helperPath = /[\p{L}_$][\p{L}\p{N}_$]*\.[\p{L}\p{N}_$.]+/uy;

function readProperty(scanner: TagScanner, name: string): string {
  const keys = name.split('.').map(normalizeKey);
  return keys.includes('')
    ? scanner.fail(`names no property: \`${shorten(name)}\` has a key without letters`)
    : keys.join('.');
}

function readTimeAgo(scanner: TagScanner): MergeSource {
  const prop = readProperty(scanner, scanner.match(names) ?? '');
  if (scanner.peek(names) !== 'in') return { prop, ago: 'words' };
  scanner.match(names);
  const unit = scanner.take('=') ? scanner.quoted() : undefined;
  if (unit === undefined) return scanner.fail('needs its unit in quotes, as `in="weeks"`');
  const word = unit.trim().toLowerCase();
  const ago = agoUnits.find((name) => name === word || name === `${word}s`);
  return ago ? { prop, ago } : scanner.fail(`counts \`${shorten(unit)}\`: it must be ${formatChoices(agoUnits)}`);
}

/** Only paths: `a.b.0.c`. Nothing is called. */
function checkGlobal(scanner: TagScanner, path: string): string {
  const short = shorten(path);
  if (/[()]/.test(path))
    scanner.fail(`calls \`${short}\`: it can only read a value, as \`{{global "app.user.plan"}}\``);
  if (/[[\]]/.test(path)) scanner.fail(`has brackets in \`${short}\`: write dots, as \`{{global "items.0.name"}}\``);
  if (!/^[^\s.]+(\.[^\s.]+)*$/.test(path))
    scanner.fail(`has the path \`${short}\`: write names with dots between them, as \`{{global "app.user.plan"}}\``);
  return path;
}
