import { formatChoices } from '../basics/input.ts';
import type { Scalar } from '../ingestion/value.ts';
import { findTextPatternProblem } from '../patterns/text-pattern.ts';
import { toCondition } from '../targeting/condition.ts';
import type { MergeComparison, MergeOperator, MergeSource, MergeTest } from './merge.ts';
import { readSource } from './source-reader.ts';
import { names, type TagScanner } from './tag-scanner.ts';
import { shorten } from './text-problem.ts';

const signs = ['==', '!=', '>', '>=', '<', '<='] as const;
/** People use both words for lists and for texts. */
const wordOperators = new Map<string, MergeOperator>([
  ['includes', 'includes'],
  ['contains', 'includes'],
  ['matches', 'matches'],
]);
/** How other languages write what exists here. */
const nearestOperators = new Map(
  Object.entries({
    ...{ and: '&&', or: '||', is: '==', eq: '==', equals: '==', ne: '!=', not: '!', gt: '>', lt: '<' },
    ...{ has: 'includes', include: 'includes', contain: 'contains', match: 'matches', like: 'contains' },
  }),
);
const MAX_DEPTH = 20;

const signRun = /[=!<>]+/y;
const not = /!(?!=)/y;
const digits = /-?\d+(?:\.\d+)?/y;
const literal = /["']/y;
const joiner = /&|\||(?:and|or)\b/y;

/** Parses the test of a condition: comparisons, joined by `&&` and `||`, with `!` and parentheses. */
export class TestReader {
  readonly #scanner: TagScanner;
  #depth = 0;

  constructor(scanner: TagScanner) {
    this.#scanner = scanner;
  }

  read(): MergeTest {
    const test = this.#any();
    const sign = this.#scanner.peek(joiner);
    if (sign === undefined) return test;
    return this.#scanner.fail(`joins two tests with \`${sign}\`: write \`&&\` or \`||\``);
  }

  #any(): MergeTest {
    const parts = [this.#all()];
    while (this.#scanner.take('||')) parts.push(this.#all());
    const [only] = parts;
    return only && parts.length === 1 ? only : { any: parts };
  }

  #all(): MergeTest {
    const parts = [this.#part()];
    while (this.#scanner.take('&&')) parts.push(this.#part());
    const [only] = parts;
    return only && parts.length === 1 ? only : { all: parts };
  }

  #part(): MergeTest {
    let isNegated = false;
    let isWritten = false;
    for (; this.#scanner.match(not) !== undefined; isWritten = true) isNegated = !isNegated;
    const isGroup = this.#scanner.take('(');
    const test = isGroup ? this.#group() : this.#comparison();
    // Other languages would negate only the value.
    if (isWritten && !isGroup && 'op' in test)
      this.#scanner.fail('negates a comparison: put it in parentheses, as `!(plan == "gold")`');
    return isNegated ? { not: test } : test;
  }

  #group(): MergeTest {
    if (++this.#depth > MAX_DEPTH) this.#scanner.fail(`has more than ${MAX_DEPTH} parentheses in each other`);
    const test = this.#any();
    this.#depth--;
    return this.#scanner.take(')') ? test : this.#scanner.fail('has a parenthesis that is never closed: `(`');
  }

  #comparison(): MergeComparison {
    const source = this.#source();
    const word = this.#scanner.peek(names);
    if (word !== undefined) return this.#compareByWord(source, word);
    const sign = this.#scanner.match(signRun);
    if (sign === undefined) {
      if ('prop' in source && source.ago) this.#failCount();
      return source;
    }
    const op = signs.find((operator) => operator === sign);
    if (op === undefined)
      return this.#scanner.fail(`compares with \`${shorten(sign)}\`: it must be ${formatChoices(signs)}`);
    const to = this.#operand(source);
    const isOrdered = typeof to === 'string' || typeof to === 'number' || op === '==' || op === '!=';
    if (!isOrdered) this.#scanner.fail(`asks what is more or less than \`${to}\``);
    if ('prop' in source && source.ago && (source.ago === 'words' || typeof to !== 'number')) this.#failCount();
    return { ...source, op, to };
  }

  #compareByWord(source: MergeSource, word: string): MergeComparison {
    const scanner = this.#scanner;
    const op = wordOperators.get(word);
    if (!op) {
      const nearest = nearestOperators.get(word.toLowerCase());
      const choices = formatChoices([...signs, ...wordOperators.keys()]);
      return scanner.fail(
        nearest
          ? `is not understood at \`${shorten(word)}\`: write \`${nearest}\``
          : `compares with \`${shorten(word)}\`: it must be ${choices}`,
      );
    }
    scanner.match(names);
    if ('prop' in source && source.ago) this.#failCount();
    if (op === 'includes') {
      const to = this.#literal(`${word} "gold"`);
      return { ...source, op, to: to ?? scanner.fail(`asks what ${word} \`null\``) };
    }
    const pattern = scanner.quoted(true) ?? scanner.fail('needs its pattern in quotes, as `matches "^gold"`');
    const problem = findTextPatternProblem(pattern);
    if (problem) scanner.fail(`matches the pattern \`${shorten(pattern)}\`, which has ${problem}`);
    return { ...source, op, to: pattern };
  }

  #failCount(): never {
    return this.#scanner.fail(
      'needs a unit and a number to compare the time with: write it as `{time_ago created_at in="weeks"} > 12`',
    );
  }

  /** A helper may be in braces of its own. */
  #source(): MergeSource {
    const scanner = this.#scanner;
    if (scanner.peek(literal))
      scanner.fail('begins with a value: write the property first, as `{{#if plan == "gold"}}`');
    const isBraced = scanner.take('{');
    const name = scanner.match(names) ?? scanner.fail('names no property: write it as `{{#if plan == "gold"}}`');
    const source = readSource(scanner, name);
    if (!isBraced) return source;
    if ('prop' in source && !source.ago)
      scanner.fail(`has \`${shorten(name)}\` in braces, which are for helpers: write it without them`);
    return scanner.take('}') ? source : scanner.fail('has a brace that is never closed: `{`');
  }

  #operand(source: MergeSource): Scalar | null {
    const value = this.#literal('{{#if plan == "gold"}}');
    return typeof value === 'string' || typeof value === 'number' ? toComparable(source, value) : value;
  }

  #literal(example: string): Scalar | null {
    const scanner = this.#scanner;
    const text = scanner.quoted();
    if (text !== undefined) return text;
    const number = scanner.match(digits);
    if (number !== undefined) return Number(number);
    const word = scanner.match(names) ?? scanner.fail(`compares with nothing: write it as \`${example}\``);
    if (word === 'null') return null;
    return word === 'true' || (word === 'false' ? false : scanner.fail(`needs quotes, as \`"${shorten(word)}"\``));
  }
}

/** Reads a value as filters do, because it is compared with stored values: `"12"` is 12. */
function toComparable(source: MergeSource, value: Scalar): Scalar {
  if (!('prop' in source) || source.ago) return value;
  const condition = toCondition([{ kind: 'property', prop: source.prop, op: 'eq', value }]);
  const [filter] = condition.is === 'all' ? condition.of : [];
  return filter?.is === 'property' && filter.test.is === 'equal' ? (filter.test.to[0] ?? value) : value;
}
