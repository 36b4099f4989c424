import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { kindOfPath, kindPaths } from '@usher/domain';

/*
 * Translation files from a server to a folder and back, over HTTP: for the repository of a translator, and for CI.
 */

export interface I18nOptions {
  url?: string;
  secret?: string;
  kind?: string;
  language?: string[];
  format?: string;
  dir?: string;
  min?: string;
}
export interface I18nTerminal {
  print(text: string): void;
  /** Shows how far it is, where somebody looks; undefined otherwise. */
  progress?: ((text: string) => void) | undefined;
}

/** What a person can mend: one clear line. */
export class I18nProblem extends Error {}
export class WrongI18nUsage extends Error {}

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
  if (action === 'push') return push(server, files, terminal);
  if (action === 'status') return status(server, options, terminal);
  throw new WrongI18nUsage('give pull, push or status: see usher --help');
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

function serverOf({ url, secret }: I18nOptions, env: Record<string, string | undefined>): Ask {
  const address = url ?? env.USHER_URL;
  const key = secret ?? env.USHER_SECRET;
  if (!address || !URL.canParse(address)) throw new WrongI18nUsage('give --url, such as https://usher.example.com');
  if (!key) throw new WrongI18nUsage('give the account secret in the environment as USHER_SECRET, or with --secret');
  return async (path, init) => {
    let response: Response;
    try {
      response = await fetch(`${address.replace(/\/$/, '')}${path}`, { ...init, headers: { 'X-Account-Secret': key } });
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error };
      throw new I18nProblem(`${address} cannot be reached: ${cause?.message || message}`);
    }
    if (response.ok) return response;
    const answer = (await response.json().catch(() => undefined)) as { messages?: string[] } | undefined;
    throw new I18nProblem(answer?.messages?.join('\n') ?? `${address} answered ${response.status}`);
  };
}

async function progressOf(ask: Ask): Promise<Progress[]> {
  return ((await (await ask('/v3/edit/i18n')).json()) as { i18ns: Progress[] }).i18ns;
}

/** One file for each language: all that the account has, or those that are asked for. */
async function pull(ask: Ask, options: I18nOptions, terminal: I18nTerminal): Promise<void> {
  const { kind, format = 'yaml', dir } = options;
  if (!dir) throw new WrongI18nUsage('give --dir, the folder for the files');
  if (format !== 'yaml' && format !== 'json') throw new WrongI18nUsage('--format must be yaml or json');
  if (kind !== undefined && !kindOfPath(kind))
    throw new WrongI18nUsage(`--kind must be one of ${kindPaths.join(', ')}`);
  const all = ['default', ...(await progressOf(ask)).map(({ language }) => language.code)];
  const languages = options.language ?? all;
  const what = kind ?? 'experiences';
  await mkdir(dir, { recursive: true });
  for (const [at, language] of languages.entries()) {
    showBar(terminal, at, languages.length, language);
    const response = await ask(`/v3/edit/${what}/i18n.${format}?language=${encodeURIComponent(language)}`);
    const file = join(dir, `${what}.${language}.${format}`);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    showBar(terminal, at + 1, languages.length, language);
    terminal.print(`${file}\n`);
  }
}

async function push(ask: Ask, files: readonly string[], terminal: I18nTerminal): Promise<void> {
  if (files.length === 0) throw new WrongI18nUsage('give the files: usher i18n push translations/*.yaml');
  let failed = 0;
  for (const [at, file] of files.entries()) {
    showBar(terminal, at, files.length, file);
    try {
      const form = new FormData();
      form.append('file', new Blob([await contentOf(file)]), basename(file));
      const answer = (await (await ask('/v3/edit/i18n', { method: 'POST', body: form })).json()) as {
        i18ns: Uploaded[];
      };
      for (const { language, updated_count, unchanged_count } of answer.i18ns)
        terminal.print(`${file}: ${language.code}, ${updated_count} updated, ${unchanged_count} unchanged\n`);
    } catch (error) {
      if (!(error instanceof I18nProblem)) throw error;
      failed++;
      terminal.print(`${file}: not applied\n${error.message.replace(/^/gm, '  ')}\n`);
    }
    showBar(terminal, at + 1, files.length, file);
  }
  if (failed > 0) throw new I18nProblem(`${failed} of ${files.length} files could not be applied`);
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new I18nProblem((error as Error).message);
  }
}

/** How much of each language there is; short of `--min` percent in any of them, the command fails. */
async function status(ask: Ask, { min = '0', language }: I18nOptions, terminal: I18nTerminal): Promise<void> {
  const least = Number(min);
  if (!/^\d+$/.test(min) || least > 100) throw new WrongI18nUsage('--min must be a number of percent from 0 to 100');
  const all = (await progressOf(ask)).filter(({ language: { code } }) => language?.includes(code) ?? true);
  const missing = language?.filter((code) => !all.some((one) => one.language.code === code)) ?? [];
  if (missing.length > 0) throw new I18nProblem(`The account does not have the language ${missing.join(', ')}`);
  if (all.length === 0) return terminal.print('There is no language besides the default one.\n');
  const short: string[] = [];
  for (const {
    language: { code },
    texts_count,
    translated_count,
  } of all) {
    // Rounded down: 100 % is when nothing is left.
    const percent = texts_count === 0 ? 100 : Math.floor((100 * translated_count) / texts_count);
    if (percent < least) short.push(code);
    terminal.print(
      `${code.padEnd(12)}${String(percent).padStart(4)} %   ${translated_count} of ${texts_count} texts\n`,
    );
  }
  if (short.length > 0) throw new I18nProblem(`below ${least} %: ${short.join(', ')}`);
}

const BAR = 24;

function showBar({ progress }: I18nTerminal, done: number, all: number, what: string): void {
  const filled = Math.round((BAR * done) / all);
  const line = `\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${done}/${all} ${what}`;
  progress?.(done === all ? '\r\x1b[K' : line);
}
