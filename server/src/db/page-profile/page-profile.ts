import type { Custom, Millis } from '@usher/domain';
import { interactionColumns, jsonColumns, type PageInteraction, type PageProfileRow, plainColumns } from './columns.ts';

/** What a page load knows of its user. */
export interface PageProfile {
  row: PageProfileRow;
  company: { uid: string; updated_at: Millis; created_at: Millis | null; custom: Custom } | undefined;
  /** By the ID of the Experience. */
  interactions: ReadonlyMap<string, PageInteraction>;
}

export const noInteractions: PageProfile['interactions'] = new Map();

/** The result of every statement that reads users: one JSON text for each, built by `pageProfileJson`. */
export interface PageProfileResult {
  json: string;
}

type Company = [uid: string, updatedAt: Millis, createdAt: Millis | null, custom: string | Custom];
type Parts = [plain: unknown[], companies: Company[], interactions: unknown[][], ...json: unknown[]];

const rowNames = [...plainColumns, ...jsonColumns];

export function parsePageProfile({ json: text }: PageProfileResult): PageProfile {
  const [plain, [company], interactions, ...json]: Parts = JSON.parse(text);
  return {
    row: toRow<PageProfileRow>(rowNames, plain.concat(json)),
    company: company && {
      uid: company[0],
      updated_at: company[1],
      created_at: company[2],
      custom: parseCustom(company[3]),
    },
    interactions: interactions.length === 0 ? noInteractions : new Map(interactions.map(toEntry)),
  };
}

/** For writes: returns the user with the key of the item that was written. */
export function readPageProfile(result: PageProfileResult): { key: string; found: PageProfile } {
  const found = parsePageProfile(result);
  return { key: found.row.uid, found };
}

/** SQLite stores JSON as text, so within a list it is still a text. */
function parseCustom(custom: string | Custom): Custom {
  return typeof custom === 'string' ? JSON.parse(custom) : custom;
}

function toEntry(values: unknown[]): [string, PageInteraction] {
  const interaction = toRow<PageInteraction>(interactionColumns, values);
  return [interaction.experience_id, interaction];
}

function toRow<Row>(names: readonly (keyof Row)[], values: readonly unknown[]): Row {
  const row: Partial<Record<keyof Row, unknown>> = {};
  let at = 0;
  for (const name of names) row[name] = values[at++];
  return row as Row;
}
