import { readTranslationFile, type TranslationFile, type UploadResult } from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { UploadedFile } from '../../http/route.ts';
import { applyFile } from './apply-file.ts';
import { FileParser } from './parse-file.ts';
import type { ParsedFile } from './read-layout.ts';

const MAX_ERRORS = 50;

/**
 * Applies each file in its own transaction, so that one can fail without the others. With `dryRun` nothing is written,
 * and each file is checked as if it was the only one.
 */
export async function uploadTranslations(
  ctx: Context,
  files: readonly UploadedFile[],
  dryRun: boolean,
): Promise<UploadResult[]> {
  if (files.length === 0) throw invalid('`file` is required: send a multipart form with `file` or `files[]`');
  const parser = new FileParser();
  const results: UploadResult[] = [];
  try {
    for (const file of files) {
      const read = () => readFile(file, parser, file === files.at(-1));
      results.push(await uploadOne(ctx, file.name, read, dryRun));
    }
  } finally {
    await parser.stop();
  }
  if (results.every(({ errors }) => errors.length > 0))
    throw invalid(...results.flatMap(({ file, errors }) => errors.map((error) => `${file}: ${error}`)));
  return results;
}

async function uploadOne(
  ctx: Context,
  name: string,
  read: () => Promise<TranslationFile>,
  dryRun: boolean,
): Promise<UploadResult> {
  const result: UploadResult = {
    file: name,
    language: { code: null },
    experiences_count: 0,
    updated_count: 0,
    unchanged_count: 0,
    errors: [],
  };
  try {
    const content = await read();
    result.language.code = content.code;
    result.experiences_count = content.experiences.length;
    const { updated, unchanged } = await applyFile(ctx, content, dryRun);
    return { ...result, updated_count: updated, unchanged_count: unchanged };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 500) throw error;
    return { ...result, errors: shorten(error.messages) };
  }
}

async function readFile({ path }: UploadedFile, parser: FileParser, isLast: boolean): Promise<TranslationFile> {
  const parsed = await parser.parse(path);
  // The thread takes 30 MB, so it ends as soon as possible.
  if (isLast) await parser.stop();
  if ('problem' in parsed) throw invalid(parsed.problem);
  const problems: string[] = [];
  const file = readTranslationFile(joinFile(parsed), problems);
  if (!file || problems.length > 0) throw invalid(...problems);
  return file;
}

/** If `experiences` is no list, the root contains it as it is in the file. */
function joinFile({ root, experiences }: ParsedFile): unknown {
  return experiences.length > 0 ? { ...(root as object), experiences } : root;
}

function shorten(problems: readonly string[]): string[] {
  if (problems.length <= MAX_ERRORS) return [...problems];
  return [...problems.slice(0, MAX_ERRORS), 'There are more problems: mend these first'];
}
