import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import {
  canonicalLanguage,
  DEFAULT_LANGUAGE,
  type ExperienceKind,
  findInheritedText,
  listTranslatableSteps,
  type Texts,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { FileResponse } from '../../http/file-response.ts';
import { getExperience } from '../experiences/queries.ts';
import { loadTexts } from '../languages/load-texts.ts';
import { listExperienceIds, listLanguageCodes, loadExperiences } from './queries.ts';
import { type FileExperience, type FileHead, type Format, writers } from './write-file.ts';

interface Wanted {
  format: Format;
  language?: string;
}

/** The file of one Experience; its ID is the Experience's. */
export async function downloadOne(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  wanted: Wanted,
): Promise<FileResponse> {
  await getExperience(ctx, kind, id);
  return download(ctx, id, [id], wanted, `${kind}-${id}`);
}

/** The file of all Experiences of a kind; its ID is the account's. */
export async function downloadKind(
  ctx: Context,
  kind: ExperienceKind,
  { archived, ...wanted }: Wanted & { archived: boolean },
): Promise<FileResponse> {
  return download(ctx, ctx.account.id, await listExperienceIds(ctx, { kind, archived }), wanted, `${kind}s`);
}

/** The file of the given Experiences in their order, or of all; its ID is the account's. */
export async function downloadMix(
  ctx: Context,
  params: readonly { kind: ExperienceKind; id: string }[] | undefined,
  { archived, ...wanted }: Wanted & { archived: boolean },
): Promise<FileResponse> {
  const ids = params ? await idsOfMix(ctx, params) : await listExperienceIds(ctx, { archived });
  return download(ctx, ctx.account.id, ids, wanted, 'experiences');
}

async function idsOfMix(ctx: Context, params: readonly { kind: ExperienceKind; id: string }[]): Promise<string[]> {
  const ids = [...new Set(params.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  const kinds = new Map(rows.map((row) => [row.id, row.kind]));
  for (const { kind, id } of params) if (kinds.get(id) !== kind) throw notFound(kind);
  return ids;
}

async function download(
  ctx: Context,
  id: string,
  ids: readonly string[],
  { format, language }: Wanted,
  name: string,
): Promise<FileResponse> {
  const code = readLanguage(language);
  const head = { id, code, options: await listLanguageCodes(ctx) };
  const body = Readable.from(piecesOf(ctx, head, ids, format), { objectMode: false, highWaterMark: 64 * 1024 });
  const fileName = `${name}.${code}.${format}`;
  return new FileResponse(
    format === 'yaml' ? 'application/yaml; charset=utf-8' : 'application/json; charset=utf-8',
    body,
    {
      name: fileName,
    },
  );
}

function readLanguage(params: string | undefined): string {
  if (params === undefined || params === DEFAULT_LANGUAGE) return DEFAULT_LANGUAGE;
  const code = canonicalLanguage(params);
  if (!code) throw invalid('`language` must be `default` or a BCP 47 code such as `de` or `pt-BR`');
  return code;
}

async function* piecesOf(ctx: Context, head: FileHead, ids: readonly string[], format: Format): AsyncGenerator<string> {
  const writer = writers[format];
  yield writer.head(head);
  let isFirst = true;
  for await (const rows of loadExperiences(ctx, ids)) {
    const translated = await loadTexts(
      ctx,
      rows.map((row) => row.id),
      head.code,
    );
    for (const { id, draft } of rows) {
      const texts = head.code === DEFAULT_LANGUAGE ? undefined : (translated.get(id) ?? []);
      yield writer.experience({ id, name: draft.name, steps: stepsOf(id, draft, texts) }, isFirst);
      isFirst = false;
    }
    // SQLite answers at once: without this, a long file would hold up everyone else until its end.
    await turn();
  }
  yield writer.end(isFirst);
}

function stepsOf(
  id: string,
  draft: Parameters<typeof listTranslatableSteps>[1],
  texts: readonly Texts[] | undefined,
): FileExperience['steps'] {
  return listTranslatableSteps(id, draft).map((step) => ({
    id: step.id,
    texts: step.texts.map((of) => {
      const text = texts ? findInheritedText(of, texts) : of.text;
      return { key: of.key, text, missing: texts?.every((one) => one[of.modelId]?.[of.field] === undefined) ?? false };
    }),
  }));
}
