import { countBytes } from './value.ts';

/*
 * What unproven pages can store in an account is limited per day: anyone can send requests with the public token. Records
 * are counted, and so is the room that they take on the disk.
 */

/**
 * `reports` are Interactions and what is counted about them, with the items of webhooks; `problems` are reports that a step
 * could not show.
 */
export const quotaNames = ['profiles', 'hosts', 'events', 'reports', 'problems', 'responses'] as const;
export type QuotaName = (typeof quotaNames)[number];

/** How the bytes of a day are divided, so that a flood of one kind leaves room for the others. */
export const byteShares = { profiles: 0.3, events: 0.2, reports: 0.4, responses: 0.1 } as const;
export type MeasuredKind = keyof typeof byteShares;

/**
 * What a row takes at most on either engine with its indexes and without its texts, in bytes. Of 5 MB of small records by this
 * measure, PostgreSQL stores 4.6 MB and SQLite 2.1 MB.
 */
const rowBytes = {
  profile: 1200,
  company: 700,
  /** Includes the count of the event for its user. */
  event: 1100,
  interaction: 1100,
  activity: 500,
  finding: 600,
  response: 1000,
  answer: 800,
  /** Includes the attempts to send the item. */
  webhookItem: 2000,
};

interface Texts {
  /** Texts that are stored in the row and in indexes. */
  indexed?: readonly (string | null | undefined)[];
  plain?: readonly (string | null | undefined)[];
}

/** The room that a new row takes on the disk at most. */
export function measureRow(row: keyof typeof rowBytes, texts: Texts = {}): number {
  return rowBytes[row] + measureTexts(texts);
}

/** Pages of the disk are not full, and PostgreSQL stores JSON in its own form: a text takes up to 1.5 times its bytes. */
function measureTexts({ indexed = [], plain = [] }: Texts): number {
  const sum = (texts: Texts['plain'] = []) => texts.reduce((bytes, text) => bytes + countBytes(text ?? ''), 0);
  return Math.ceil(4.5 * sum(indexed) + 1.5 * sum(plain));
}

/** How many bytes a property takes in the index, because PostgreSQL indexes each property. */
const INDEXED_PROPERTY = 60;

/** What the properties of a profile take: the values, who has sent them, and which of them are from pages, as JSON. */
export function measureProperties(custom: string, sources: string | null, pageKeys: string, count: number): number {
  return measureTexts({ plain: [custom, sources, pageKeys] }) + INDEXED_PROPERTY * count;
}
