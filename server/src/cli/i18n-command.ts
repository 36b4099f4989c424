import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { kindOfPath, kindPaths } from '@usher/domain';
import { messageOf } from '../error-code.ts';
import { callServer } from './call-server.ts';
import { CommandError, UsageError } from './errors.ts';

/*
 * Downloads and uploads translation files over HTTP, for the repository of a translator and for CI.
 */

export interface I18nOptions {
  url?: string;
  secret?: string;
  kind?: string;
  language?: string[];
  format?: string;
  dir?: string;
  min?: string;
  'dry-run'?: boolean;
}
export interface I18nTerminal {
  print(text: string): void;
  /** Shows progress, if a person is watching. */
  progress?: ((text: string) => void) | undefined;
}

interface Progress {
  language: { code: string };
  texts_count: number;
  translated_count: number;
}
interface Uploaded {
  file: string;
  language: { code: string | null };
  updated_count: number;
  unchanged_count: number;
  errors: string[];
}

export async function runI18n(
  action: string | undefined,
  files: readonly string[],
  options: I18nOptions,
  env: Record<string, string | undefined>,
  terminal: I18nTerminal,
): Promise<void> {
  const server = serverOf(options, env);
  if (action === 'pull') return pull(server, options, terminal);
  if (action === 'push') return push(server, files, options['dry-run'] ?? false, terminal);
  if (action === 'status') return status(server, options, terminal);
  throw new UsageError('give pull, push or status: see usher --help');
}

/** Sends a request to the server of the command, and throws what the server says about an error. */
type Send = (path: string, init?: RequestInit) => Promise<Response>;

function serverOf({ url, secret }: I18nOptions, env: Record<string, string | undefined>): Send {
  const address = url ?? env.USHER_URL;
  const key = secret ?? env.ACCOUNT_SECRET;
  if (!address || !URL.canParse(address)) throw new UsageError('give --url, such as https://usher.example.com');
  if (!key) throw new UsageError('give the account secret in the environment as ACCOUNT_SECRET, or with --secret');
  return async (path, init) => {
    const response = await callServer(address, key, path, init);
    if (response.ok) return response;
    const body = (await response.json().catch(() => undefined)) as { messages?: string[] } | undefined;
    throw new CommandError(body?.messages?.join('\n') ?? `${address} answered ${response.status}`);
  };
}

async function progressOf(send: Send): Promise<Progress[]> {
  return ((await (await send('/v3/edit/i18n')).json()) as { i18ns: Progress[] }).i18ns;
}

/** Writes one file for each language of the account, or for the languages of the option. */
async function pull(send: Send, options: I18nOptions, terminal: I18nTerminal): Promise<void> {
  const { kind, format = 'yaml', dir } = options;
  if (!dir) throw new UsageError('give --dir, the folder for the files');
  if (format !== 'yaml' && format !== 'json') throw new UsageError('--format must be yaml or json');
  if (kind !== undefined && !kindOfPath(kind)) throw new UsageError(`--kind must be one of ${kindPaths.join(', ')}`);
  const all = ['default', ...(await progressOf(send)).map(({ language }) => language.code)];
  const languages = options.language ?? all;
  const what = kind ?? 'experiences';
  await mkdir(dir, { recursive: true });
  for (const [at, language] of languages.entries()) {
    showBar(terminal, at, languages.length, language);
    const response = await send(`/v3/edit/${what}/i18n.${format}?language=${encodeURIComponent(language)}`);
    const file = join(dir, `${what}.${language}.${format}`);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    showBar(terminal, at + 1, languages.length, language);
    terminal.print(`${file}\n`);
  }
}

/** Uploads the files one by one. A dry run fails where the upload would. */
async function push(send: Send, files: readonly string[], dryRun: boolean, terminal: I18nTerminal): Promise<void> {
  if (files.length === 0) throw new UsageError('give the files: usher i18n push translations/*.yaml');
  let failed = 0;
  const [updated, notApplied] = dryRun ? ['would be updated', 'has errors'] : ['updated', 'not applied'];
  for (const [at, file] of files.entries()) {
    showBar(terminal, at, files.length, file);
    try {
      const form = new FormData();
      form.append('file', new Blob([await contentOf(file)]), basename(file));
      const path = dryRun ? '/v3/edit/i18n?dry_run=true' : '/v3/edit/i18n';
      const { i18ns } = (await (await send(path, { method: 'POST', body: form })).json()) as { i18ns: Uploaded[] };
      for (const { language, updated_count, unchanged_count } of i18ns)
        terminal.print(`${file}: ${language.code}, ${updated_count} ${updated}, ${unchanged_count} unchanged\n`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed++;
      terminal.print(`${file}: ${notApplied}\n${error.message.replace(/^/gm, '  ')}\n`);
    }
    showBar(terminal, at + 1, files.length, file);
  }
  if (failed > 0)
    throw new CommandError(`${failed} of ${files.length} files ${dryRun ? 'have errors' : 'could not be applied'}`);
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

/** Prints how much of each language is translated. It fails if one is below `--min` percent. */
async function status(send: Send, { min = '0', language }: I18nOptions, terminal: I18nTerminal): Promise<void> {
  const minPercent = Number(min);
  if (!/^\d+$/.test(min) || minPercent > 100) throw new UsageError('--min must be a number of percent from 0 to 100');
  const all = (await progressOf(send)).filter(({ language: { code } }) => language?.includes(code) ?? true);
  const missing = language?.filter((code) => !all.some((one) => one.language.code === code)) ?? [];
  if (missing.length > 0) throw new CommandError(`The account does not have the language ${missing.join(', ')}`);
  if (all.length === 0) return terminal.print('There is no language besides the default one.\n');
  const short: string[] = [];
  for (const {
    language: { code },
    texts_count,
    translated_count,
  } of all) {
    // The percentage is rounded down, so that 100 % means that every text is translated.
    const percent = texts_count === 0 ? 100 : Math.floor((100 * translated_count) / texts_count);
    if (percent < minPercent) short.push(code);
    terminal.print(
      `${code.padEnd(12)}${String(percent).padStart(4)} %   ${translated_count} of ${texts_count} texts\n`,
    );
  }
  if (short.length > 0) throw new CommandError(`below ${minPercent} %: ${short.join(', ')}`);
}

const BAR = 24;

function showBar({ progress }: I18nTerminal, done: number, all: number, what: string): void {
  const filled = Math.round((BAR * done) / all);
  const line = `\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${done}/${all} ${what}`;
  progress?.(done === all ? '\r\x1b[K' : line);
}
