import { isId } from '../basics/id.ts';
import { addProblem, formatChoices, isRecord, toList } from '../basics/input.ts';
import { isOneOf, keysOf } from '../basics/records.ts';
import { isTimestamp, parseIso } from '../basics/time.ts';
import { normalizeKey } from '../ingestion/key.ts';
import { readValue, type Scalar } from '../ingestion/value.ts';
import {
  type AgeFields,
  ageOps,
  type CountFields,
  comparisons,
  type Filter,
  type ForeignFilter,
  filterKinds,
  foreignFilterKinds,
  groupOps,
  interactionStates,
  listOps,
  orderOps,
  type PresenceOp,
  type PropertyOp,
  partOps,
  presenceOps,
  propertyKindsOnly,
  propertyOps,
  type SegmentItem,
} from './filter.ts';

/** Lists within lists; the outermost counts. */
export const MAX_FILTER_DEPTH = 5;
export const MAX_FILTERS = 200;
export const MAX_FILTER_VALUES = 500;
/** The limit for all filters of a request together. */
const MAX_TOTAL_VALUES = 1000;
export const MAX_FILTER_DAYS = 36_500;
const MAX_KEYS = 5;
const MAX_FOREIGN_LENGTH = 4000;
const MAX_FOREIGN_DEPTH = 5;

/** Reads a list of filters, in groups up to five levels deep; each problem names the item it is in. */
export function readFilters(input: unknown, path: string, problems: string[]): Filter[] | undefined {
  return new FilterReader(filterKinds, problems).list(input, path, 1);
}

/** Reads the items of a Segment: filters, each with its ID if it has one already. An imported Segment also has foreign filters. */
export function readItems(input: unknown, path: string, problems: string[]): SegmentItem[] | undefined {
  return new FilterReader(filterKinds, problems, true).items(input, path);
}

/** Reads filters about Companies, which can test only properties. */
export function readCompanyFilters(input: unknown, path: string, problems: string[]): Filter[] | undefined {
  return new FilterReader(propertyKindsOnly, problems).list(input, path, 1);
}

/** Reads filters about the properties of an event. */
export function readEventFilters(input: unknown, path: string, problems: string[]): Filter[] | undefined {
  return new FilterReader(propertyKindsOnly, problems).list(input, path, 1);
}

type FilterInput = Record<string, unknown>;

class FilterReader {
  readonly #kinds: readonly Filter['kind'][];
  readonly #problems: string[];
  readonly #acceptsForeign: boolean;
  #count = 0;
  #valueCount = 0;

  constructor(kinds: readonly Filter['kind'][], problems: string[], acceptsForeign = false) {
    this.#kinds = kinds;
    this.#problems = problems;
    this.#acceptsForeign = acceptsForeign;
  }

  list(input: unknown, path: string, depth: number): Filter[] | undefined {
    const list = toList(input, false);
    if (!list) return this.#addProblem(path, 'must be a list of filters');
    if (depth > MAX_FILTER_DEPTH) return this.#addProblem(path, `is nested deeper than ${MAX_FILTER_DEPTH} levels`);
    this.#count += list.length;
    if (this.#count > MAX_FILTERS)
      return this.#addProblem(path, `brings the filters to ${this.#count}: ${MAX_FILTERS} at most`);
    return list.flatMap((item, index) => this.#filter(item, `${path}[${index}]`, depth) ?? []);
  }

  items(input: unknown, path: string): SegmentItem[] | undefined {
    const filters = this.list(input, path, 1);
    // A filter that could not be read is missing here, but then the problems reject the whole list.
    return filters?.map((filter, index) => {
      const { id = null } = (toList(input, false)?.[index] ?? {}) as { id?: unknown };
      if (id === null) return filter;
      if (typeof id === 'string' && isId(id)) return { id, ...filter };
      return (
        this.#addProblem(`${path}[${index}].id`, 'must be the ID of an item that is there, or none for a new one') ??
        filter
      );
    });
  }

  #filter(input: unknown, path: string, depth: number): Filter | undefined {
    if (!isRecord(input))
      return this.#addProblem(
        path,
        'must be a filter such as `{"kind": "property", "prop": "plan", "op": "eq", "value": "pro"}`',
      );
    const foreign = keysOf(foreignFilterKinds).find((kind) => kind === input.kind);
    if (foreign) return this.#foreign(foreign, input, path);
    switch (this.#word(input.kind ?? 'property', this.#kinds, `${path}.kind`)) {
      case 'property':
        return this.#property(input, path);
      case 'event':
        return this.#event(input, path);
      case 'tour':
        return this.#tour(input, path);
      case 'survey':
        return {
          kind: 'survey',
          op: this.#presence(input, path),
          value: this.#id(input, path),
          ...this.#countFields(input, path),
        };
      case 'segment':
        return { kind: 'segment', op: this.#presence(input, path), value: this.#id(input, path) };
      case 'group':
        return {
          kind: 'group',
          filters: this.list(input.filters, `${path}.filters`, depth + 1) ?? [],
          filters_op: this.#word(input.filters_op ?? 'and', groupOps, `${path}.filters_op`) ?? 'and',
        };
      default:
        return undefined;
    }
  }

  /** Keeps all keys, in an order that the database cannot change. */
  #foreign(kind: ForeignFilter['kind'], input: FilterInput, path: string): Filter | undefined {
    if (!this.#acceptsForeign) return this.#addProblem(`${path}.kind`, describeForeign(kind));
    const { id: _, kind: __, ...others } = input;
    if (!isStorable(others, MAX_FOREIGN_DEPTH) || JSON.stringify(others).length > MAX_FOREIGN_LENGTH)
      return this.#addProblem(
        path,
        `must be valid Unicode of ${MAX_FOREIGN_LENGTH} characters at most, nested ${MAX_FOREIGN_DEPTH} levels at most`,
      );
    return { kind, ...(sortKeys(others) as object) };
  }

  #property(input: FilterInput, path: string): Filter | undefined {
    const prop = this.#prop(input.prop, `${path}.prop`);
    const op = this.#word(input.op, propertyOps, `${path}.op`);
    if (prop === undefined || op === undefined) return undefined;
    if (op === 'ex' || op === 'nx') return { kind: 'property', prop, op };
    const value = this.#value(input.value, op, `${path}.value`);
    return value === undefined ? undefined : { kind: 'property', prop, op, value };
  }

  /** Normalizes keys as stored data has them: `User Role` and `company.User Role`. */
  #prop(input: unknown, path: string): string | undefined {
    const keys = typeof input === 'string' && input.length <= 1000 ? input.split('.').map(normalizeKey) : [];
    const isValid = keys.length > 0 && keys.length <= MAX_KEYS && !keys.includes('') && keys.join('.') !== 'company';
    return isValid
      ? keys.join('.')
      : this.#addProblem(path, 'must be the key of a property, such as `plan` or `company.plan`');
  }

  #value(input: unknown, op: PropertyOp, path: string): Scalar | Scalar[] | undefined {
    if (isOneOf(ageOps, op)) return this.#days(input, path);
    if (isOneOf(listOps, op)) return this.#values(input, true, path);
    if (isOneOf(partOps, op)) return this.#part(input, path);
    const ordered = isOneOf(orderOps, op);
    if (!isScalar(input) || (ordered && typeof input === 'boolean'))
      return this.#addProblem(path, `must be a text, a number${ordered ? '' : ', a boolean'} or a time`);
    return this.#scalar(input, path);
  }

  #part(input: unknown, path: string): Scalar | Scalar[] | undefined {
    const single = isScalar(input) && input !== '' && toList(input, false) === undefined;
    return single ? this.#scalar(input, path) : this.#values(input, false, path);
  }

  #values(input: unknown, words: boolean, path: string): Scalar[] | undefined {
    const list = isScalar(input) && typeof input !== 'string' ? [input] : toList(input, words);
    if (!list || list.length === 0 || list.length > MAX_FILTER_VALUES)
      return this.#addProblem(path, `must be a list of 1 to ${MAX_FILTER_VALUES} values`);
    this.#valueCount += list.length;
    if (this.#valueCount > MAX_TOTAL_VALUES)
      return this.#addProblem(path, `brings the values to ${this.#valueCount}: ${MAX_TOTAL_VALUES} at most`);
    return list.flatMap((item, index) => {
      if (isScalar(item) && item !== '') return this.#scalar(item, `${path}[${index}]`) ?? [];
      return this.#addProblem(`${path}[${index}]`, 'must be a text, a number, a boolean or a time') ?? [];
    });
  }

  #scalar(input: Scalar, path: string): Scalar | undefined {
    if (typeof input === 'string' && isTimestamp(input) && parseIso(input) === undefined)
      return this.#addProblem(path, 'is written like a time, but there is no such time');
    const before = this.#problems.length;
    readValue(input, '', path, this.#problems, 0);
    return this.#problems.length === before ? input : undefined;
  }

  #event(input: FilterInput, path: string): Filter | undefined {
    const value = typeof input.value === 'string' && input.value.length <= 255 ? normalizeKey(input.value) : '';
    if (value === '') return this.#addProblem(`${path}.value`, 'must be the name of an event');
    return {
      kind: 'event',
      op: this.#presence(input, path),
      value,
      ...this.#countFields(input, path),
      ...this.#ageFields(input, path),
    };
  }

  #tour(input: FilterInput, path: string): Filter {
    const range = input.range === undefined ? undefined : this.#word(input.range, interactionStates, `${path}.range`);
    return {
      kind: 'tour',
      op: this.#presence(input, path),
      value: this.#id(input, path),
      ...(range && { range }),
      ...this.#ageFields(input, path),
    };
  }

  #countFields({ mod, range }: FilterInput, path: string): CountFields {
    if (mod === undefined && range === undefined) return {};
    const number = toNumber(range);
    if (number === undefined) this.#addProblem(`${path}.range`, 'must be a number when `mod` is given');
    const word = this.#word(mod, comparisons, `${path}.mod`);
    return number === undefined || word === undefined ? {} : { mod: word, range: number };
  }

  #ageFields({ cond, int }: FilterInput, path: string): AgeFields {
    if (cond === undefined && int === undefined) return {};
    const days = this.#days(int, `${path}.int`);
    const word = this.#word(cond, ageOps, `${path}.cond`);
    return days === undefined || word === undefined ? {} : { cond: word, int: days };
  }

  #days(input: unknown, path: string): number | undefined {
    const days = toNumber(input);
    if (days !== undefined && days >= 0 && days <= MAX_FILTER_DAYS) return days;
    return this.#addProblem(path, `must be a number of days, from 0 to ${MAX_FILTER_DAYS}`);
  }

  #presence(input: FilterInput, path: string): PresenceOp {
    const op = presenceOps.get(input.op ?? 'ex');
    return op ?? this.#addProblem(`${path}.op`, `must be ${formatChoices(['ex', 'nx'])}`) ?? 'ex';
  }

  #id(input: FilterInput, path: string): string {
    if (typeof input.value === 'string' && isId(input.value)) return input.value;
    this.#addProblem(`${path}.value`, 'must be an ID: 24 lowercase hex digits');
    return '';
  }

  #word<Word extends string>(input: unknown, words: readonly Word[], path: string): Word | undefined {
    return words.find((word) => word === input) ?? this.#addProblem(path, `must be ${formatChoices(words)}`);
  }

  #addProblem(path: string, what: string): undefined {
    return addProblem(this.#problems, path, what);
  }
}

export function describeForeign(kind: ForeignFilter['kind']): string {
  return `is \`${kind}\`, which only imported Segments have, and which matches nobody: ${foreignFilterKinds[kind]}`;
}

/** Whether a database can store it. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth > 0 &&
    Object.entries(value)
      .flat()
      .every((part) => isStorable(part, depth - 1))
  );
}

/** Sorts the keys of objects, also within others. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

function isScalar(input: unknown): input is Scalar {
  return typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean';
}

function toNumber(input: unknown): number | undefined {
  const number = typeof input === 'string' && /^-?\d+(\.\d+)?$/.test(input) ? Number(input) : input;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
