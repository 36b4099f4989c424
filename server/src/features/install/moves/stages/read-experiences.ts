import { type ExperienceKind, experienceKinds, isRecord, kinds, pathOfKind } from '@usher/domain';
import type { MoveRun } from '../move-run.ts';
import { readRecords, readText } from '../read-record.ts';
import { type SourceRecord, SourceRejection } from '../source.ts';

export interface SourceExperience {
  kind: ExperienceKind;
  record: SourceRecord;
  /** The content was made of the translation file, which has only texts. */
  isFromTexts: boolean;
}

/** Services give the steps with a parameter that they do not document. */
const expansions: Record<string, string>[] = [
  {},
  { 'expand[steps]': 'all' },
  { 'expand[steps]': 'true' },
  { 'expand[]': 'steps' },
  { expand: 'steps' },
  { include: 'steps' },
];

/** Reads the Experiences of all kinds with their content. */
export async function readExperiences(run: MoveRun): Promise<SourceExperience[]> {
  const all: SourceExperience[] = [];
  for (const kind of experienceKinds) {
    const path = pathOfKind(kind);
    const records = await readKind(run, kind);
    const without = records.filter((record) => !hasContent(kind, record));
    const texts = without.length > 0 ? await readFile(run, path, 'default') : new Map<string, FileExperience>();
    for (const record of records)
      all.push(
        hasContent(kind, record)
          ? { kind, record, isFromTexts: false }
          : { kind, record: { ...record, ...toContent(kind, record.id, texts.get(record.id)) }, isFromTexts: true },
      );
  }
  return all;
}

async function readKind(run: MoveRun, kind: ExperienceKind): Promise<SourceRecord[]> {
  const path = pathOfKind(kind);
  let first: SourceRecord[] | undefined;
  for (const params of expansions) {
    const records = await run.source.listIfKnown(`/v3/edit/${path}`, path, params);
    if (records.length === 0 ? first === undefined : records.some((record) => hasContent(kind, record))) return records;
    first ??= records;
  }
  return first ?? [];
}

function hasContent(kind: ExperienceKind, record: SourceRecord): boolean {
  return Array.isArray(record[kinds[kind].parts]);
}

interface FileExperience {
  id: string;
  steps: { id: string; texts: Record<string, string> }[];
}

/** Reads the translation file of a kind, by the ID of the Experience. It is empty if the service has none. */
async function readFile(run: MoveRun, path: string, language: string): Promise<Map<string, FileExperience>> {
  const body = await readFileBody(run, path, language);
  const found = new Map<string, FileExperience>();
  for (const { id, steps } of readRecords(body?.experiences)) {
    if (typeof id !== 'string') continue;
    found.set(id, {
      id,
      steps: readRecords(steps).flatMap((step) =>
        typeof step.id === 'string' ? { id: step.id, texts: readStepTexts(step.translations) } : [],
      ),
    });
  }
  return found;
}

export async function readFileBody(
  run: MoveRun,
  path: string,
  language: string,
): Promise<Record<string, unknown> | undefined> {
  const params = language === 'default' ? {} : { language };
  try {
    const body = await run.source.get(`/v3/edit/${path}/i18n.json`, params);
    const code = isRecord(body.language) ? body.language.code : undefined;
    return code === language ? body : undefined;
  } catch (error) {
    if (error instanceof SourceRejection) return undefined;
    throw error;
  }
}

function readStepTexts(translations: unknown): Record<string, string> {
  if (!isRecord(translations)) return {};
  return Object.fromEntries(
    Object.entries(translations).flatMap(([name, value]) => {
      const text = isRecord(value) ? readText(value.text) : null;
      return text === null ? [] : [[name, text]];
    }),
  );
}

/** The texts of buttons have the key `buttons:<id>:text`. */
const buttonKey = /^buttons:([0-9a-f]{24}):text$/;

/** Makes the parts of an Experience of its texts: nothing else is known of them. */
function toContent(kind: ExperienceKind, id: string, file: FileExperience | undefined): Record<string, unknown> {
  const own = file?.steps.find((step) => step.id === id)?.texts ?? {};
  const parts = (file?.steps ?? []).filter((step) => step.id !== id);
  return {
    ...own,
    [kinds[kind].parts]: parts.map(({ id, texts }) => {
      const entries = Object.entries(texts);
      const fields = Object.fromEntries(entries.filter(([name]) => !name.includes(':')));
      const buttons = entries.flatMap(([name, text]) => {
        const button = buttonKey.exec(name)?.[1];
        return button === undefined ? [] : { id: button, text };
      });
      return { id, ...fields, ...(kinds[kind].parts === 'steps' && { buttons }) };
    }),
  };
}
