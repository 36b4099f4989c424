import { readFile as readBytes } from 'node:fs/promises';
import { type Experience, experienceKinds, toFileKey } from '@usher/domain';
import { parseEvents, YAMLException } from 'js-yaml';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/route.ts';
import { presentExperience } from '../present-experience.ts';
import { type ExperienceRow, getAnyExperience } from '../queries.ts';
import { applyFiles } from './apply-files.ts';
import type { RecordType } from './record-types.ts';
import { showFiles } from './show-files.ts';
import { readFile } from './yaml-file.ts';

/** Creates an Experience as a file has it, or replaces the draft of one. Files of the account that it names must be there. */
export async function uploadFile(
  ctx: Context,
  types: readonly RecordType[],
  files: readonly UploadedFile[],
  replaced?: ExperienceRow,
): Promise<Experience> {
  const [file, another] = files;
  if (!file || another) throw invalid('`file` is required: send one file that was downloaded here');
  const text = await readBytes(file.path, 'utf8');
  checkSize(file.name, text);
  const { content, problems, placeOf } = readFile(text);
  if (problems.length > 0)
    throw invalid(...problems.map(({ line, column, message }) => `${file.name}:${line}:${column}: ${message}`));
  const known = await showFiles(ctx, types, new Map());
  const type = types.find(({ kind }) => kind !== undefined && kind === content.kind);
  if (!type?.kind) throw invalid(`${file.name}: \`kind\` must be one of ${experienceKinds.join(', ')}`);
  if (replaced && replaced.kind !== type.kind)
    throw invalid(`${file.name}: \`kind\` must be \`${replaced.kind}\`, like the Experience`);
  const shown = known.find((one) => one.id === replaced?.id);
  const taken = new Set(known.map((one) => one.file));
  const { folder } = type;
  const wanted = toFileKey(String(content.name ?? ''), type.kind);
  let key = wanted;
  for (let next = 2; taken.has(`${folder}/${key}`); next++) key = `${wanted}-${next}`;
  const name = shown?.file ?? `${folder}/${key}`;
  const seen = shown && { id: shown.id, version: shown.version, parts: shown.parts };
  try {
    const [applied] = await applyFiles(ctx, types, {
      records: [{ file: name, content, ...seen }],
      names: new Map(known.map((one) => [one.file, one.id])),
      isManaged: false,
    });
    return presentExperience(ctx, await getAnyExperience(ctx, applied?.id ?? ''));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The messages begin with the name that the file would have in a folder.
    throw new ApiError(
      error.code,
      error.messages.map((message) => toPlace(message, name, file.name, placeOf)),
    );
  }
}

/** A larger file, or one with more values, would keep everyone waiting while it is read. The largest Experiences have a tenth of this. */
const MAX_FILE_LENGTH = 256 * 1024;
const MAX_EVENTS = 30_000;
const MAX_DEPTH = 32;

/**
 * The library that knows places takes minutes for some files of this size, such as one of brackets only. So a strict reader,
 * which stops at the first error, reads the file before.
 */
function checkSize(name: string, text: string): void {
  if (text.length > MAX_FILE_LENGTH) throw invalid(`${name}: The file is larger than ${MAX_FILE_LENGTH / 1024} KB`);
  if ((text.match(/\n/g)?.length ?? 0) > MAX_EVENTS)
    throw invalid(`${name}: The file has more than ${MAX_EVENTS} lines`);
  try {
    if (parseEvents(text, { maxDepth: MAX_DEPTH }).length <= MAX_EVENTS) return;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw invalid(`${name}:${(mark?.line ?? 0) + 1}:${(mark?.column ?? 0) + 1}: ${reason}`);
  }
  throw invalid(`${name}: The file has more values than an Experience can have`);
}

/** Names the uploaded file in a message, and the place in it. */
function toPlace(
  message: string,
  name: string,
  uploaded: string,
  placeOf: (path: string) => { line: number; column: number },
): string {
  const text = message.replace(`${name}.yaml: `, '');
  const [, path] = /^`([^`]+)`/.exec(text) ?? [];
  const { line, column } = placeOf(path ?? '');
  return `${uploaded}:${line}:${column}: ${text}`;
}
