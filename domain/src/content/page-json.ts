import { type Millis, toTimestamp } from '../basics/time.ts';
import type { FieldType } from '../fields/field.ts';
import { allFields } from '../kinds/all-fields.ts';
import { type ExperienceKind, isExclusive } from '../kinds/kinds.ts';
import { startsTask } from '../kinds/task.ts';
import { linearRegex } from '../patterns/linear-regex.ts';
import { type AccountStepBudget, PatternBudget } from '../patterns/pattern-budget.ts';
import { createTextMatcher } from '../patterns/text-pattern.ts';
import {
  type Attribute,
  type Lookup,
  later,
  type MergeTag,
  type RichNode,
  type RichText,
  resolve,
  resolveAddress,
  resolveTag,
  valueAt,
} from '../rich-text/merge.ts';
import { listMergePaths } from '../rich-text/merge-tag.ts';
import { timeAgo } from '../rich-text/time-ago.ts';
import type { Condition } from '../targeting/condition.ts';
import type { Facts } from '../targeting/match.ts';
import type { ListItemState } from './list-item-state.ts';

/*
 * Writes the content of an Experience as pieces of JSON, or as functions that write them for one user. Every part begins with its ID, so
 * fields begin with a comma.
 */

/** What the content of an Experience can depend on. */
export interface PageUser {
  profile: Facts;
  company?: Facts | undefined;
  /** The time of the page load, and the language of its browser, for words such as "3 weeks ago". */
  now: Millis;
  language: string | null;
  /** The budget for patterns, shared with other page loads. */
  patternSteps?: AccountStepBudget | undefined;
  inSegment(id: string): boolean | undefined;
  /** Whether a condition holds for the user. Without it, none does. */
  matches?(condition: Condition): boolean | undefined;
  /** Whether a tour or survey is live. */
  isLive(id: string): boolean;
  isCompleted(id: string): boolean;
  /** The items of this Experience that depend on the user, if it is a launcher with such items. */
  items?: ReadonlyMap<string, ListItemState> | undefined;
}

/** A part of an Experience as a page gets it. */
export type PagePart = Record<string, unknown>;

type JsonPiece = string | ((lookup: Lookup, user: PageUser) => string);

export function writePart({ id, ...fields }: PagePart): JsonPiece[] {
  return [
    `{"id":${JSON.stringify(id)}`,
    ...Object.entries(fields).flatMap(([name, value]) => writeField(name, value)),
    '}',
  ];
}

function writeField(name: string, value: unknown): JsonPiece[] {
  const parts = value as PagePart[];
  if (name === 'items' && parts.some(isPersonal))
    return [(lookup, user) => writeItems(listItemsFor(parts, user), lookup, user)];
  if (name === 'steps' || name === 'buttons' || name === 'items') return writeList(name, parts.map(writePart));
  const type = allFields.get(name)?.type;
  if (type === 'rules' && parts.some(({ condition }) => condition))
    return [(_, user) => `,"${name}":${JSON.stringify(listRulesFor(parts, user))}`];
  const ready = isText(type) ? writeText(value as RichText) : undefined;
  if (ready) return [`,"${name}":`, ...ready];
  const fill = (lookup: Lookup) => {
    const filled = fillField(name, value, lookup);
    return filled === undefined || isEmpty(filled) ? '' : `,${JSON.stringify(name)}:${JSON.stringify(filled)}`;
  };
  return [listMergePaths([value as never]).props.length > 0 ? fill : fill(unknownUser)];
}

/**
 * The pieces of a text with plain merge tags, as most texts are: only the values are written for each user. Undefined for
 * other texts, such as one that can become empty. These are resolved as a whole, which takes eight times as long.
 */
function writeText(nodes: readonly RichNode[]): JsonPiece[] | undefined {
  if (nodes.length === 0) return undefined;
  const parts: JsonPiece[][] = [];
  for (let at = 0; at < nodes.length; ) {
    const run = nodes.slice(at).findIndex((node) => !isWords(node));
    const end = run < 0 ? nodes.length : at + run;
    const written = end > at ? writeWords(nodes.slice(at, end) as PlainWords[]) : writeElement(nodes[at] as RichNode);
    if (!written) return undefined;
    parts.push(written);
    at = Math.max(end, at + 1);
  }
  return ['[', ...parts.flatMap((pieces, at) => (at === 0 ? pieces : [',', ...pieces])), ']'];
}

type PlainWords = string | (MergeTag & { prop: string });

function isWords(node: RichNode): node is PlainWords {
  return typeof node === 'string' || (!Array.isArray(node) && 'prop' in node);
}

/** Undefined for values without any words, because the text could become empty and would be left out. */
function writeWords(words: readonly PlainWords[]): JsonPiece[] | undefined {
  if (!words.some((word) => typeof word === 'string' && word !== '')) return undefined;
  const written = words.map(
    (word): JsonPiece =>
      typeof word === 'string' ? escapeJson(word) : (lookup) => escapeJson(resolveTag(word, lookup) as string),
  );
  return ['"', ...written, '"'];
}

function writeElement(node: RichNode): JsonPiece[] | undefined {
  if (!Array.isArray(node)) return undefined;
  const [name, first] = node;
  const language = isLanguage(first) ? `${JSON.stringify(first)},` : '';
  const content = node.slice(language === '' ? 1 : 2);
  const isPlain = name !== 'a' && name !== 'img' && content.every(isNode) && !content.every(isBlank);
  const written = isPlain ? writeText(content as RichNode[]) : undefined;
  return written && [`["${name}",${language}`, ...written.slice(1)];
}

/** Whether a node is blank, or can be once it has its value. */
function isBlank(node: unknown): boolean {
  return typeof node === 'string' ? node.trim() === '' : !Array.isArray(node);
}

function isLanguage(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'lang' in node;
}

/** Whether it is a node, and not the attributes of an element. */
function isNode(node: unknown): boolean {
  return typeof node === 'string' || Array.isArray(node) || 'prop' in (node as object);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function writeList(name: string, parts: readonly JsonPiece[][]): JsonPiece[] {
  if (parts.length === 0) return [];
  return [`,"${name}":[`, ...parts.flatMap((pieces, at) => (at === 0 ? pieces : [',', ...pieces])), ']'];
}

/** Few launchers have items that depend on the user, so these are written again for every user. */
function writeItems(items: readonly PagePart[], lookup: Lookup, user: PageUser): string {
  const pieces = writeList('items', items.map(writePart));
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece(lookup, user))).join('');
}

const unknownUser: Lookup = (of) => (of === 'prop' ? undefined : later);

function fillField(name: string, value: unknown, lookup: Lookup): unknown {
  const type = allFields.get(name)?.type;
  if (isText(type)) return resolve(value as RichText, lookup);
  if (type === 'question') return fillQuestion(value as PagePart, lookup);
  if (type === 'address') return resolveAddress(value as Attribute, 'href', lookup);
  if (type === 'shown_texts') return (value as RichText[]).map((text) => resolve(text, lookup));
  return value;
}

/** Fills in the texts of a question: everything in it that is a list of nodes, and the texts of its answers. */
function fillQuestion(question: PagePart, lookup: Lookup): PagePart {
  const filled = Object.entries(question).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value];
    if (name !== 'options') return [name, resolve(value as RichText, lookup)];
    return [name, value.map((option: PagePart) => ({ ...option, text: resolve(option.text as RichText, lookup) }))];
  });
  return Object.fromEntries(filled);
}

/** The rules that can match for the user. Rules whose filters do not match are left out, and the others have none. */
function listRulesFor(rules: readonly PagePart[], user: PageUser): PagePart[] {
  return rules
    .filter(({ condition }) => !condition || user.matches?.(condition as Condition))
    .map(({ condition: _, ...rule }) => rule);
}

const isText = (type: FieldType | undefined) => type === 'shown_text' || type === 'markdown';

/** Whether an item depends on the user. */
function isPersonal({ segment_id, campaign_id, hasState }: PagePart): boolean {
  return segment_id !== undefined || campaign_id !== undefined || hasState !== undefined;
}

function listItemsFor(items: readonly PagePart[], user: PageUser): PagePart[] {
  const mine = items.filter(
    ({ id, kind, segment_id, campaign_id }) =>
      !user.items?.get(String(id))?.isHidden &&
      (segment_id === undefined || user.inSegment(String(segment_id))) &&
      (!isExclusive({ kind: kind as ExperienceKind }) || user.isLive(String(campaign_id))),
  );
  return mine.map(({ segment_id: _, hasState: __, ...item }) => {
    const state = user.items?.get(String(item.id));
    if (state) return { ...item, ...presentState(item, state) };
    return item.campaign_id !== undefined && user.isCompleted(String(item.campaign_id))
      ? { ...item, completed: true }
      : item;
  });
}

/** A page gets booleans, and nothing about the conditions. It knows itself that a tour or survey is a task. */
function presentState({ kind }: PagePart, { isTask, isCompleted, isLocked }: ListItemState): PagePart {
  const isNamed = isTask && (isCompleted || !startsTask({ kind: String(kind) }));
  return { ...(isNamed && { completed: isCompleted }), ...(isLocked && { locked: true }) };
}

/** These facts are shown as timestamps, like custom properties that are times. */
const times = new Set(['created_at', 'updated_at', 'last_seen_at', 'last_cleared_at']);

const findPattern = createTextMatcher(linearRegex);

/** Finds facts and custom properties of the user, or of the Company with the prefix `company.`. */
export function createLookup({ profile, company, now, language, patternSteps }: PageUser): Lookup {
  const find: Lookup = (of, path, ago) => {
    if (of !== 'prop') return later;
    const ofCompany = path.startsWith('company.');
    const value = ofCompany ? company && findFact(company, path.slice('company.'.length)) : findFact(profile, path);
    return ago === undefined ? value : timeAgo(value, ago, now, language);
  };
  let budget: PatternBudget | undefined;
  find.matches = (text, pattern) => {
    budget ??= new PatternBudget(patternSteps, now);
    return findPattern(text, pattern, budget);
  };
  return find;
}

function findFact({ facts, custom }: Facts, path: string): unknown {
  if (!Object.hasOwn(facts, path)) {
    if (path.includes('.')) return valueAt(custom, path);
    return Object.hasOwn(custom, path) ? custom[path] : undefined;
  }
  const fact = facts[path];
  return typeof fact === 'number' && times.has(path) ? toTimestamp(fact) : fact;
}

export function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
