import { plainMessage } from '../../api/describe-error.ts';
import { formatBytes, formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';

const texts = text.languages.files;

/**
 * The limits of the server. They are checked here too, because the server rejects all files together, and only after
 * the upload.
 */
export const MAX_FILES = 20;
const MAX_FILE_BYTES = 10_000_000;

/** What the server would do, or has done, with a file. */
export interface FileResult {
  file: string;
  language: { code: string | null };
  experiences_count: number;
  updated_count: number;
  unchanged_count: number;
  errors: readonly string[];
}

/** Why a file is not worth sending; undefined if it is. */
export function problemOfFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!/\.(json|ya?ml)$/i.test(name)) return texts.wrongKind;
  return size > MAX_FILE_BYTES ? texts.tooLarge(formatBytes(MAX_FILE_BYTES)) : undefined;
}

export const tooManyFiles = (): string => texts.tooMany(formatNumber(MAX_FILES));

/** If every file fails, the response has only messages: each begins with the name of its file. */
export function resultsOfMessages(names: readonly string[], messages: readonly string[]): FileResult[] {
  return names.map((file) => ({
    file,
    language: { code: null },
    ...{ experiences_count: 0, updated_count: 0, unchanged_count: 0 },
    errors: messages.filter((one) => one.startsWith(`${file}: `)).map((one) => one.slice(file.length + 2)),
  }));
}

/** An error of a file as a sentence. */
export function describeFileError(error: string): string {
  const plain = plainMessage(error);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
