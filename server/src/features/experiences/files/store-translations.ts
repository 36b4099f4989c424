import {
  canonicalLanguage,
  type FileTexts,
  listTranslatableSteps,
  type NewTranslation,
  type StoredTexts,
  writeTranslations,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { addMissingLanguage } from '../../translations/languages/queries.ts';
import { storeTexts } from '../../translations/languages/store-texts.ts';
import { recordChangeGroups } from '../changes/record-changes.ts';
import type { Failures } from './failures.ts';
import type { StoredRecord } from './load-records.ts';
import { partAt } from './part-at.ts';

interface Translated {
  file: string;
  record: StoredRecord;
  texts: readonly FileTexts[];
}

type NewTexts = Parameters<typeof storeTexts>[2][number];
const none: StoredTexts = { texts: {}, sources: {} };

/** Replaces the translations of Experiences by those of their files. A language that the account does not have is added. */
export async function storeTranslations(
  ctx: Context,
  items: readonly Translated[],
  languages: ReadonlySet<string>,
  failures: Failures,
): Promise<void> {
  const byLanguage = new Map<string, NewTexts[]>();
  for (const { file, record, texts } of items) {
    if (!record.experience) continue;
    const problems: string[] = [];
    const { row, stored } = record.experience;
    const wanted = readTexts(record, texts, problems);
    for (const code of new Set([...Object.keys(stored), ...wanted.keys()])) {
      const before = stored[code] ?? none;
      const after = writeTranslations(wanted.get(code) ?? [], none, problems);
      const changed = { row, before: before.texts, after: after.texts, sources: keepSources(before, after) };
      byLanguage.set(code, [...(byLanguage.get(code) ?? []), changed]);
    }
    // The path of a text in a file has no `text` at its end.
    if (problems.length > 0)
      failures.add(
        file,
        422,
        problems.map((problem) => problem.replace(/\.text` /, '` ')),
      );
  }
  failures.throwAny();
  const groups = [];
  for (const [code, texts] of byLanguage) groups.push(...(await storeTexts(ctx, code, texts)));
  for (const code of byLanguage.keys()) if (!languages.has(code)) await addMissingLanguage(ctx, code);
  const changed = groups.filter(({ changes }) => changes.length > 0);
  if (changed.length > 0) await recordChangeGroups(ctx, changed, 'apply');
}

/** Finds the texts that translations are of, by language. */
function readTexts(record: StoredRecord, all: readonly FileTexts[], problems: string[]): Map<string, NewTranslation[]> {
  const found = new Map<string, NewTranslation[]>();
  const { row } = record.experience as NonNullable<StoredRecord['experience']>;
  const sources = new Map(
    listTranslatableSteps(row.id, row.draft)
      .flatMap(({ texts }) => texts)
      .map((text) => [`${text.modelId}.${text.field}`, text]),
  );
  for (const { path, texts } of all)
    for (const [code, fields] of Object.entries(texts)) {
      const at = `${path === '' ? '' : `${path}.`}translations.${code}`;
      if (canonicalLanguage(code) !== code || code === 'default')
        problems.push(`\`${at}\` must be the code of a language, such as \`de\` or \`pt-BR\``);
      for (const [field, text] of Object.entries(fields)) {
        const of = sources.get(`${partAt(record, path)}.${field}`);
        if (of) found.set(code, [...(found.get(code) ?? []), { of, text, path: `${at}.${field}` }]);
        else problems.push(`\`${at}.${field}\` is the translation of no text: there is no such text beside it`);
      }
    }
  return found;
}

/** A translation that stays as it was keeps what is known about its source text. */
function keepSources(before: StoredTexts, after: StoredTexts): StoredTexts['sources'] {
  return Object.fromEntries(
    Object.entries(after.sources).map(([id, hashes]) => [
      id,
      Object.fromEntries(
        Object.entries(hashes).map(([field, hash]) => {
          const isSame = before.texts[id]?.[field] === after.texts[id]?.[field];
          return [field, (isSame && before.sources[id]?.[field]) || hash];
        }),
      ),
    ]),
  );
}
