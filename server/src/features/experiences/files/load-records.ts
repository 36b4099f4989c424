import { createHash } from 'node:crypto';
import {
  type Content,
  listTranslatableSteps,
  type RecordContent,
  sortFields,
  type Translations,
  toDocument,
  withGoalsOnce,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { loadStored, type StoredTranslations } from '../../translations/languages/load-texts.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';
import type { RecordType } from './record-types.ts';

/** A record as files have it, and what else is needed to compare and publish it. */
export interface StoredRecord extends RecordContent {
  type: RecordType;
  name: string;
  isArchived: boolean;
  /** Whether users do not have it as it is. */
  isUnpublished: boolean;
  /** It changes with the content, and only with the content: publishing does not change it. */
  version: string;
  /** The row of an Experience, its content and its translations. */
  experience?: { row: ExperienceRow; content: Content; stored: StoredTranslations };
}

const PAGE = 500;

/** Loads all records of these types, oldest first. */
export async function loadRecords(ctx: Context, types: readonly RecordType[]): Promise<StoredRecord[]> {
  const experiences = await loadExperiences(ctx, types);
  const others: StoredRecord[] = [];
  for (const type of types) if (!type.kind) others.push(...(await listAll(ctx, type)));
  return [...experiences, ...others].sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function loadExperiences(ctx: Context, types: readonly RecordType[]): Promise<StoredRecord[]> {
  const byKind = new Map(types.map((type) => [type.kind as string | undefined, type]));
  const rows = (await experiencesOf(ctx).orderBy('id').execute()).filter(({ kind }) => byKind.has(kind));
  const stored = await loadStored(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toExperienceRecord(byKind.get(row.kind) as RecordType, row, stored.get(row.id) ?? {}));
}

function toExperienceRecord(type: RecordType, row: ExperienceRow, stored: StoredTranslations): StoredRecord {
  const { id, draft } = row;
  const translations = listTranslations(row, stored);
  const document = toDocument(type.fields, withGoalsOnce(sortFields(draft)), type.initial);
  return {
    ...{ type, id, name: draft.name, document, translations, version: hashContent(document, translations) },
    isArchived: row.archived_at !== null,
    isUnpublished: row.version_id === null && row.next_version_id === null,
    experience: { row, content: { document: draft, translations }, stored },
  };
}

/** The translations of the texts that the document has, in the order of the document. */
function listTranslations({ id, draft }: ExperienceRow, stored: StoredTranslations): Translations {
  const languages = Object.keys(stored).sort();
  if (languages.length === 0) return {};
  const steps = listTranslatableSteps(id, draft);
  const found: Translations = {};
  for (const code of languages)
    for (const { texts } of steps)
      for (const { modelId, field } of texts) {
        const text = stored[code]?.texts[modelId]?.[field];
        if (text === undefined) continue;
        found[code] ??= {};
        found[code][modelId] = { ...found[code][modelId], [field]: text };
      }
  return found;
}

/** Reads the list as the API shows it, so that a new kind of record needs nothing else. */
async function listAll(ctx: Context, type: RecordType): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let before: string | undefined; ; ) {
    const page = (await type.list.run(ctx, {
      limit: PAGE,
      ...type.create.listInFiles,
      ...(before && { before }),
    })) as Record<string, unknown>;
    const list = (page[type.folder] ?? []) as Record<string, unknown>[];
    found.push(...list.map((record) => toRecord(type, record)));
    before = (page.cursor as { before: string | null } | undefined)?.before ?? undefined;
    if (before === undefined) return found;
  }
}

function toRecord(type: RecordType, record: Record<string, unknown>): StoredRecord {
  const document = toDocument(type.fields, record, type.initial);
  return {
    ...{ type, id: String(record.id), name: String(record.name), document, translations: {} },
    version: hashContent(document, {}),
    isArchived: Boolean(record.archived_at),
    isUnpublished: record.published_at === null || record.has_unpublished_changes === true,
  };
}

function hashContent(document: object, translations: object): string {
  return createHash('sha256')
    .update(JSON.stringify([document, translations]))
    .digest('hex')
    .slice(0, 24);
}
