import { canonicalLanguage, DEFAULT_LANGUAGE, type Language } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { presentLanguage } from './present-language.ts';
import { insertLanguage } from './queries.ts';

export async function createLanguage(ctx: Context, params: string): Promise<Language> {
  if (params === DEFAULT_LANGUAGE) throw invalid('`code` must be another language: `default` is always there');
  const code = canonicalLanguage(params);
  if (!code) throw invalid('`code` must be a BCP 47 code such as `de` or `pt-BR`');
  const row = await ctx.transaction((ctx) => insertLanguage(ctx, code));
  if (!row) throw conflict(`The language \`${code}\` is there already`);
  return presentLanguage(row);
}
