import {
  joinStrings,
  type MergeIf,
  type MergeSource,
  type MergeTag,
  type MergeTest,
  type PlainNode,
  type PlainText,
  type RichNode,
} from './merge.ts';
import { type ConditionTag, readTag } from './tag-reader.ts';
import { catchProblem, reject } from './text-problem.ts';

const MAX_DEPTH = 20;

/** Parses a text with merge tags, or describes what is wrong with it. */
export function parseText(source: string): PlainText | { problem: string } {
  return catchProblem(() => {
    const tokens = tokenize(source);
    let at = 0;
    const nodesUntil = (end: number): PlainText => {
      const nodes: PlainText = [];
      while (at < end) {
        const token = tokens[at++];
        if (token === undefined || !isConditionTag(token)) nodes.push(token ?? '');
        else nodes.push(buildCondition<PlainNode>(tokens, at - 1, nodesUntil));
      }
      at = end + 1;
      return joinStrings(nodes);
    };
    return nodesUntil(tokens.length);
  });
}

/** What a text uses: properties of the user, options of the Delivery, values of the page, and answers to steps. */
export interface MergePaths {
  props: string[];
  options: string[];
  globals: string[];
  answers: string[];
}

export function listMergePaths(text: readonly RichNode[]): MergePaths {
  const props = new Set<string>();
  const options = new Set<string>();
  const globals = new Set<string>();
  const answers = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('prop' in part) props.add(String(part.prop));
    else if ('option' in part) options.add(String(part.option));
    else if ('global' in part) globals.add(String(part.global));
    else if ('answer' in part) answers.add(String(part.answer));
    else for (const inner of Object.values(part)) visit(inner);
  };
  visit(text);
  return { props: [...props], options: [...options], globals: [...globals], answers: [...answers] };
}

/** The name of a value, for people: the property, how long ago it was, or the path in a Delivery or the page. */
export function nameOfSource(source: MergeSource): string {
  if ('option' in source) return source.option;
  if ('global' in source) return source.global;
  // The ID of a step says nothing to people.
  if ('answer' in source) return 'answer';
  return source.ago === undefined ? source.prop : `time_ago ${source.prop}`;
}

/** A text consists of plain text, merge tags, and the tags of conditions. */
export type Token = string | MergeTag | ConditionTag;

export function isConditionTag(token: Token): token is ConditionTag {
  return typeof token === 'object' && 'keyword' in token;
}

/** Builds the condition that begins at a tag. `branchUntil` parses one branch after the other. */
export function buildCondition<Of>(
  tokens: readonly Token[],
  index: number,
  branchUntil: (end: number) => Of[],
): MergeIf<Of> {
  const { test, next } = tokens[index] as ConditionTag;
  const condition: MergeIf<Of> = { if: test as MergeTest, show: branchUntil(next) };
  const following = tokens[next] as ConditionTag;
  if (following.test) condition.else = [buildCondition(tokens, next, branchUntil)] as Of[];
  else if (following.keyword === 'else') condition.else = branchUntil(following.next);
  return condition;
}

/** Where a tag is in the source. */
export interface TagSpan {
  from: number;
  to: number;
}

/** Splits a text into tokens, and checks that every `{{#if}}` is closed. `spans` gets the place of each tag. */
export function tokenize(source: string, spans: TagSpan[] = []): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (let open = source.indexOf('{{'); open >= 0; open = source.indexOf('{{', at)) {
    if (open > at && source[open - 1] === '\\') {
      tokens.push(source.slice(at, open - 1), '{{');
      at = open + 2;
    } else {
      const { token, end } = readTag(source, open);
      tokens.push(source.slice(at, open), token);
      at = end;
      spans.push({ from: open, to: at });
    }
  }
  tokens.push(source.slice(at));
  const words = joinStrings(tokens);
  linkConditionTags(source, words);
  return words;
}

function linkConditionTags(source: string, tokens: readonly Token[]): void {
  const open: { first: ConditionTag; last: ConditionTag; levels: number }[] = [];
  let levels = 0;
  for (const [index, token] of tokens.entries()) {
    if (!isConditionTag(token)) continue;
    if (token.keyword === 'if') open.push({ first: token, last: token, levels: 0 });
    const current = open.at(-1);
    if (!current) reject(`\`${token.source}\` belongs to no \`{{#if …}}\``, source, token.at);
    if (token.test) {
      current.levels++;
      if (++levels > MAX_DEPTH)
        reject(`\`${token.source}\` is nested deeper than ${MAX_DEPTH} conditions`, source, token.at);
    }
    if (token.keyword === 'if') continue;
    if (token.keyword === 'else' && current.last.keyword === 'else' && !current.last.test)
      reject(`\`${token.source}\` comes after the \`{{else}}\` of \`${current.first.source}\``, source, token.at);
    current.last.next = index;
    current.last = token;
    if (token.keyword === 'end') levels -= open.pop()?.levels ?? 0;
  }
  const unclosed = open.at(-1)?.first;
  if (unclosed) reject(`\`${unclosed.source}\` is never closed with \`{{/if}}\``, source, unclosed.at);
}
