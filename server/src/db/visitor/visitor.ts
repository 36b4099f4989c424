import type { Custom, Millis } from '@usher/domain';
import {
  interactionColumns,
  type JsonColumn,
  jsonColumns,
  plainColumns,
  type VisitorInteraction,
  type VisitorRow,
} from './columns.ts';

/** What a page load knows of its user. */
export interface Visitor {
  row: VisitorRow;
  company: { uid: string; updated_at: Millis; custom: Custom } | undefined;
  /** By the ID of the Experience. */
  interactions: ReadonlyMap<string, VisitorInteraction>;
}

export const noInteractions: Visitor['interactions'] = new Map();

/** The result of every statement that reads visitors: one JSON text for each, built by `visitorJson`. */
export interface VisitorResult {
  visitor: string;
}

type Value = string | number | null;
type Company = [uid: string, updatedAt: Millis, custom: string | Custom];
type Parts = [plain: Value[], ...json: VisitorRow[JsonColumn][], companies: Company[], interactions: Value[][]];

export function parseVisitor({ visitor }: VisitorResult): Visitor {
  const parts = JSON.parse(visitor) as Parts;
  const row = toObject(plainColumns, parts[0]);
  for (const [index, name] of jsonColumns.entries()) row[name] = parts[index + 1];
  const [company] = parts.at(-2) as Company[];
  const interactions = parts.at(-1) as Value[][];
  return {
    row: row as unknown as VisitorRow,
    company: company && { uid: company[0], updated_at: company[1], custom: parseCustom(company[2]) },
    interactions: interactions.length === 0 ? noInteractions : new Map(interactions.map(toEntry)),
  };
}

/** For writes: returns the visitor with the key of the item that was written. */
export function readVisitor(result: VisitorResult): { key: string; found: Visitor } {
  const found = parseVisitor(result);
  return { key: found.row.uid, found };
}

/** SQLite stores JSON as text, so within a list it is still a text. */
function parseCustom(custom: string | Custom): Custom {
  return typeof custom === 'string' ? JSON.parse(custom) : custom;
}

function toEntry(values: Value[]): [string, VisitorInteraction] {
  const interaction = toObject(interactionColumns, values) as unknown as VisitorInteraction;
  return [interaction.experience_id, interaction];
}

function toObject(names: readonly string[], values: readonly Value[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) object[names[index] as string] = values[index];
  return object;
}
