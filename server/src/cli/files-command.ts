import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileKey } from '@usher/domain';
import type { Applied } from '../features/experiences/files/apply-files.ts';
import { schemaLine } from '../features/experiences/files/schema-line.ts';
import type { ShownFile } from '../features/experiences/files/show-files.ts';
import { writeFile } from '../features/experiences/files/yaml-file.ts';
import { callServer, isAddress } from './call-server.ts';
import { CommandError, UsageError } from './errors.ts';
import { addPlaces, type FolderFile, readFolder, writeIfChanged } from './files-folder.ts';
import { type Lock, readLock, writeLock } from './files-lock.ts';
import { pullPictures, pushPictures } from './files-pictures.ts';
import { formatMarkdown, formatPlan, hasDiff } from './print-plan.ts';

/*
 * Experiences as code: a folder of YAML files from a server, and back. It talks to a running server by its API.
 */

export interface FilesOptions {
  from?: string;
  to?: string;
  url?: string;
  secret?: string;
  dir?: string;
  source?: string;
  markdown?: boolean;
  publish?: boolean;
  adopt?: boolean;
  'archive-missing'?: boolean;
}

interface FilesTerminal {
  print(text: string): void;
  /** Shows progress, if a person is watching. */
  progress?: ((text: string) => void) | undefined;
}

export const filesCommands = ['pull', 'plan', 'apply'];
const MAX_BODY = 10 * 1024 * 1024;
const DEFAULT_DIR = 'usher';

/** Returns the exit code: `plan` has 2 if something would change. */
export async function runFiles(
  command: string,
  options: FilesOptions,
  env: Record<string, string | undefined>,
  terminal: FilesTerminal,
): Promise<number> {
  const server = readServer(command, options, env);
  const dir = options.dir ?? DEFAULT_DIR;
  const send: Send = (path, init) => request(server, path, init);
  const { account } = (await (await send('/')).json()) as { account: { id: string } };
  if (command === 'pull') return pull(send, account.id, dir, terminal);
  return apply(send, account.id, dir, { ...options, isPlan: command === 'plan' }, terminal);
}

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** What a server says about an error. */
class ServerError extends CommandError {
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    super(messages.join('\n'));
    this.messages = messages;
  }
}

function readServer(
  command: string,
  { from, to, url, secret }: FilesOptions,
  env: Record<string, string | undefined>,
): { address: string; secret: string } {
  const option = command === 'pull' ? '--from' : '--to';
  const address = (command === 'pull' ? from : to) ?? url ?? env.USHER_URL;
  const key = secret ?? env.ACCOUNT_SECRET;
  if (!address || !isAddress(address)) throw new UsageError(`give ${option}, such as https://usher.example.com`);
  if (!key) throw new UsageError('give the account secret in the environment as ACCOUNT_SECRET, or with --secret');
  return { address, secret: key };
}

async function request(
  { address, secret }: { address: string; secret: string },
  path: string,
  init?: RequestInit,
): Promise<Response> {
  const response = await callServer(address, secret, path, init);
  if (response.ok) return response;
  const body = (await response.json().catch(() => undefined)) as { messages?: string[] } | undefined;
  throw new ServerError(body?.messages ?? [`${address} answered ${response.status}`]);
}

async function sendJson<T>(send: Send, path: string, body: object): Promise<T> {
  const text = JSON.stringify(body);
  const size = Buffer.byteLength(text);
  if (size > MAX_BODY)
    throw new CommandError(
      `the folder has ${Math.ceil(size / 1024 / 1024)} MB without pictures, and a server takes 10 MB: split it into several folders`,
    );
  const form = new FormData();
  form.append('file', new Blob([text]), 'records.json');
  return (await (await send(path, { method: 'POST', body: form })).json()) as T;
}

async function pull(send: Send, accountId: string, dir: string, { print }: FilesTerminal): Promise<number> {
  const lock = await readLock(dir, accountId);
  const known = [...lock].map(([file, { id, parts }]) => ({ id, file, parts }));
  const path = '/v3/edit/files';
  const { files, schemas } = await sendJson<{ files: ShownFile[]; schemas: object }>(send, path, { known });
  const present = files.filter((file) => !file.is_archived);
  const names = [...present.map(({ file }) => file), ...Object.keys(schemas).map((folder) => `${folder}/schema`)];
  const wrong = names.find((name) => !/^[a-z_]+\/[^/]+$/.test(name) || !isFileKey(name.split('/')[1]));
  if (wrong !== undefined) throw new CommandError(`${wrong} is no name of a file: is the server an Usher?`);
  const records = await pullPictures(dir, send, accountId, present);
  let written = 0;
  for (const { file, content } of records) {
    const [folder = ''] = file.split('/');
    const place = join(dir, `${file}.yaml`);
    const text = writeFile(content, schemaLine(folder), await readExisting(place));
    if (!(await writeIfChanged(place, text))) continue;
    written++;
    print(`${file}.yaml\n`);
  }
  for (const [folder, schema] of Object.entries(schemas))
    await writeIfChanged(join(dir, 'schema', `${folder}.json`), `${JSON.stringify(schema, null, 2)}\n`);
  const after: Lock = new Map(present.map(({ file, id, version, parts }) => [file, { id, version, parts }]));
  for (const [file, locked] of lock)
    if (!after.has(file) && (await exists(join(dir, `${file}.yaml`)))) {
      const isArchived = files.some(({ id }) => id === locked.id);
      print(`${file}.yaml: its record was ${isArchived ? 'archived' : 'deleted'}, so delete the file\n`);
      after.set(file, locked);
    }
  await writeLock(dir, accountId, after);
  print(`${written} of ${present.length} files written\n`);
  return 0;
}

async function apply(
  send: Send,
  accountId: string,
  dir: string,
  options: FilesOptions & { isPlan: boolean },
  { print }: FilesTerminal,
): Promise<number> {
  const { isPlan } = options;
  const files = await readFolder(dir);
  const lock = await readLock(dir, accountId);
  const contents = await pushPictures(
    dir,
    send,
    files.map(({ content }) => content),
  );
  const records = files.map(({ file }, at) => ({ file, ...lock.get(file), content: contents[at] }));
  const names = new Set(files.map(({ file }) => file));
  const missing = [...lock].flatMap(([file, { id }]) => (names.has(file) ? [] : [id]));
  if (records.length === 0 && missing.length === 0)
    throw new CommandError(`${dir} has no files: usher pull writes them`);
  const query = new URLSearchParams(Object.entries(queryOf(options)));
  const applied = await sendFiles(send, `/v3/edit/apply?${query}`, { records, missing }, files);
  print(options.markdown ? formatMarkdown(applied) : formatPlan(applied));
  if (isPlan) return applied.some(hasDiff) ? 2 : 0;
  const kept = [...lock].filter(([, { id }]) => applied.some((one) => one.id === id && one.action === 'missing'));
  const done = applied.filter(({ file }) => names.has(file));
  await writeLock(
    dir,
    accountId,
    new Map([...kept, ...done.map(({ file, id, version, parts }) => [file, { id, version, parts }] as const)]),
  );
  return 0;
}

function queryOf({ source, publish, adopt, isPlan, ...options }: FilesOptions & { isPlan: boolean }) {
  return {
    ...(source !== undefined && { source }),
    ...(publish && { publish: 'true' }),
    ...(adopt && { adopt: 'true' }),
    ...(options['archive-missing'] && { archive_missing: 'true' }),
    ...(isPlan && { dry_run: 'true' }),
  };
}

/** Each error names its place in the file. */
async function sendFiles(send: Send, path: string, body: object, files: readonly FolderFile[]): Promise<Applied[]> {
  try {
    return (await sendJson<{ records: Applied[] }>(send, path, body)).records;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw new CommandError(addPlaces(error.messages, files).join('\n'));
  }
}

function readExisting(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
