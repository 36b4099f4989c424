import { isSameValue } from '@usher/domain';
import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/* Files as YAML. Comments and the order of what is there survive a change of the values. */

type Values = Record<string, unknown>;

/** What is wrong in a file, and where. */
interface FileProblem {
  line: number;
  column: number;
  message: string;
}

export interface ReadFile {
  content: Values;
  problems: FileProblem[];
  /** Finds the place of a path such as `steps[0].title`: of its value, else of what should have it. */
  placeOf(path: string): { line: number; column: number };
}

/** The library compares each key with all others, which takes minutes for a large object, so the keys are checked below. */
const parseOptions = { uniqueKeys: false, merge: false, version: '1.2', schema: 'core', prettyErrors: false } as const;

/** Reads a file. Aliases, anchors and tags are rejected, because they can make a small file large, or something else of a text. */
export function readFile(text: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...parseOptions, lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => ({ ...at(pos[0]), message }));
  visit(document, {
    Node: (_, node) => {
      if (isMap(node)) problems.push(...checkKeys(node).map(({ offset, message }) => ({ ...at(offset), message })));
      const start = at(node.range?.[0] ?? 0);
      const isNamed = isAlias(node) || (!isAlias(node) && (node as { anchor?: string }).anchor !== undefined);
      if (isNamed) problems.push({ ...start, message: 'Anchors and aliases are not read: write the value out' });
      else if ((node as { tag?: string }).tag && !isPlainTag(node))
        problems.push({ ...start, message: 'Tags are not read: remove it' });
    },
  });
  if (problems.length > 0) return { content: {}, problems, placeOf: () => at(0) };
  if (!isMap(document.contents))
    return {
      content: {},
      problems: [{ ...at(0), message: 'The file must have fields, such as `name: Welcome`' }],
      placeOf: () => at(0),
    };
  return {
    content: document.toJS() as Values,
    problems,
    placeOf: (path) => {
      const keys = [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
      for (let length = keys.length; length > 0; length--) {
        const pair = findKey(document.contents, keys.slice(0, length));
        if (pair) return at(pair.range?.[0] ?? 0);
      }
      return at(0);
    },
  };
}

/** Keys with the same text are the same field, however they are written. */
function checkKeys({ items }: YAMLMap): { offset: number; message: string }[] {
  const keys = new Set<string>();
  return items.flatMap(({ key }) => {
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
    if (!isScalar(key)) return { offset, message: 'A key must be a text' };
    const text = String(key.value);
    if (keys.has(text)) return { offset, message: 'Map keys must be unique' };
    keys.add(text);
    return [];
  });
}

/** A quoted or block text has the tag of a text in the core schema. */
function isPlainTag(node: object): boolean {
  return String((node as { tag?: string }).tag).startsWith('tag:yaml.org,2002:');
}

/** The key of a field, or the item of a list. */
function findKey(contents: unknown, keys: readonly (string | number)[]): Node | undefined {
  let node: unknown = contents;
  let found: unknown;
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find((one) => isScalar(one.key) && String(one.key.value) === String(key));
      if (!pair) return undefined;
      [found, node] = [pair.key, pair.value];
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      found = node;
    } else return undefined;
  }
  return isNode(found) ? found : undefined;
}

const writeOptions = { lineWidth: 0, minContentWidth: 0, indentSeq: true } as const;
/** Texts such as `no` are quoted, because older readers take them for something else. */
const compat = 'yaml-1.1';

/** Writes a file. What `existing` has already stays as it is, with its comments. */
export function writeFile(content: Values, head: string, existing?: string): string {
  if (existing !== undefined) {
    const document = parseDocument(existing, { ...parseOptions, compat });
    if (document.errors.length === 0 && isMap(document.contents) && readFile(existing).problems.length === 0) {
      if (isSameValue(document.toJS(), content)) return existing;
      updateMap(document, document.contents, content);
      return document.toString(writeOptions);
    }
  }
  const document = new Document(content, { version: '1.2', schema: 'core', aliasDuplicateObjects: false, compat });
  return `${head}\n${document.toString(writeOptions)}`;
}

/** Values that are there already keep their way of writing. New fields come after the one that they follow. */
function updateMap(document: Document, map: YAMLMap, values: Values): void {
  map.items = map.items.filter((pair) => isScalar(pair.key) && Object.hasOwn(values, String(pair.key.value)));
  let last = -1;
  for (const [name, value] of Object.entries(values)) {
    const at = map.items.findIndex((pair) => isScalar(pair.key) && String(pair.key.value) === name);
    const pair = map.items[at];
    if (!pair) map.items.splice(++last, 0, document.createPair(name, value));
    else {
      pair.value = updateNode(document, pair.value, value);
      last = at;
    }
  }
}

function updateNode(document: Document, node: unknown, value: unknown): unknown {
  if (isNode(node) && isSameValue(node.toJS(document), value)) return node;
  if (isMap(node) && isPlainRecord(value)) updateMap(document, node, value);
  else if (isSeq(node) && Array.isArray(value)) updateList(document, node, value);
  else if (isScalar(node) && !isObject(value)) {
    const fresh = document.createNode(value) as Scalar;
    const { comment, commentBefore, spaceBefore } = node;
    Object.assign(fresh, { comment, commentBefore, spaceBefore });
    return fresh;
  } else return document.createNode(value);
  return node;
}

/** Parts are found by their keys, so their comments move with them. Other items are found by their place. */
function updateList(document: Document, list: YAMLSeq, values: readonly unknown[]): void {
  const before = [...list.items];
  const byKey = new Map(before.flatMap((item) => (isMap(item) && item.has('key') ? [[item.get('key'), item]] : [])));
  list.items = values.map((value, at) => {
    const known = isPlainRecord(value) && value.key !== undefined ? byKey.get(value.key) : before[at];
    return known === undefined ? document.createNode(value) : updateNode(document, known, value);
  });
}

function isPlainRecord(value: unknown): value is Values {
  return isObject(value) && !Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
