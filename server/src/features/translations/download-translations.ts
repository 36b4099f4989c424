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
import type { FileResponse } from '../../http/file-response.ts';
import { streamFile } from '../../http/stream-file.ts';
import { getExperience } from '../experiences/queries.ts';
import { loadStored, withParents } from './languages/load-texts.ts';
import { listExperienceIds, listLanguageCodes, loadExperiences } from './queries.ts';
import { type FileExperience, type FileHead, type Format, writers } from './write-file.ts';

interface FileOptions {
  format: Format;
  language?: string;
}

/** Downloads the file of one Experience. The ID of the file is that of the Experience. */
export async function downloadOne(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  options: FileOptions,
): Promise<FileResponse> {
  await getExperience(ctx, kind, id);
  return download(ctx, id, [id], options, `${kind}-${id}`);
}

/** Downloads the file of all Experiences of a kind. The ID of the file is that of the account. */
export async function downloadKind(
  ctx: Context,
  kind: ExperienceKind,
  { archived, ...options }: FileOptions & { archived: boolean },
): Promise<FileResponse> {
  const ids = await listExperienceIds({ ...ctx, db: ctx.heavyDb }, { kind, archived });
  return download(ctx, ctx.account.id, ids, options, `${kind}s`);
}

/** Downloads the file of some Experiences in this order, or of all. The ID of the file is that of the account. */
export async function downloadMix(
  ctx: Context,
  params: readonly { kind: ExperienceKind; id: string }[] | undefined,
  { archived, ...options }: FileOptions & { archived: boolean },
): Promise<FileResponse> {
  const ids = params ? await checkIds(ctx, params) : await listExperienceIds({ ...ctx, db: ctx.heavyDb }, { archived });
  return download(ctx, ctx.account.id, ids, options, 'experiences');
}

async function checkIds(ctx: Context, params: readonly { kind: ExperienceKind; id: string }[]): Promise<string[]> {
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
  { format, language }: FileOptions,
  name: string,
): Promise<FileResponse> {
  const code = readLanguage(language);
  const head = { id, code, options: await listLanguageCodes(ctx) };
  const mediaType = format === 'yaml' ? 'application/yaml; charset=utf-8' : 'application/json; charset=utf-8';
  const file = { mediaType, name: `${name}.${code}.${format}` };
  return streamFile(ctx, file, (ctx) => writePieces(ctx, head, ids, format));
}

function readLanguage(params: string | undefined): string {
  if (params === undefined || params === DEFAULT_LANGUAGE) return DEFAULT_LANGUAGE;
  const code = canonicalLanguage(params);
  if (!code) throw invalid('`language` must be `default` or a BCP 47 code such as `de` or `pt-BR`');
  return code;
}

async function* writePieces(
  ctx: Context,
  head: FileHead,
  ids: readonly string[],
  format: Format,
): AsyncGenerator<string> {
  const writer = writers[format];
  yield writer.head(head);
  let isFirst = true;
  for await (const rows of loadExperiences(ctx, ids)) {
    const stored = await loadStored(
      ctx,
      rows.map((row) => row.id),
      head.code,
    );
    for (const { id, draft } of rows) {
      const texts = head.code === DEFAULT_LANGUAGE ? undefined : withParents(head.code, stored.get(id) ?? {});
      yield writer.experience({ id, name: draft.name, steps: translateSteps(id, draft, texts) }, isFirst);
      isFirst = false;
    }
  }
  yield writer.end(isFirst);
}

function translateSteps(
  id: string,
  draft: Parameters<typeof listTranslatableSteps>[1],
  texts: readonly Texts[] | undefined,
): FileExperience['steps'] {
  return listTranslatableSteps(id, draft).map((step) => ({
    id: step.id,
    texts: step.texts.map((source) => {
      const { key, modelId, field } = source;
      const text = texts ? findInheritedText(source, texts) : source.text;
      return { key, text, missing: texts?.every((own) => own[modelId]?.[field] === undefined) ?? false };
    }),
  }));
}
