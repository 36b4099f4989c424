import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ReadFile, readFile as readYaml } from '../features/experiences/files/yaml-file.ts';
import { CommandError } from './errors.ts';

/** A file of the folder that stands for a record. */
export interface FolderFile extends ReadFile {
  /** The folder and the name without the extension: `tours/welcome`. */
  file: string;
  text: string;
}

/** These hold no records. */
const otherFolders = ['schema', 'pictures'];

/** Reads all records of a folder, in the order of their names. */
export async function readFolder(dir: string): Promise<FolderFile[]> {
  const entries = await listFolder(dir);
  const files: FolderFile[] = [];
  const misplaced = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name)).map(({ name }) => name);
  for (const folder of entries.filter((entry) => entry.isDirectory() && !otherFolders.includes(entry.name)))
    for (const entry of await listFolder(join(dir, folder.name))) {
      const { name } = entry;
      if (folder.name.startsWith('.')) continue;
      if (name.endsWith('.yml')) misplaced.push(`${folder.name}/${name}`);
      if (!name.endsWith('.yaml')) continue;
      // A link in a repository can lead to any file of the machine.
      if (!entry.isFile())
        throw new CommandError(`${join(dir, folder.name, name)} must be a file, not a link or a folder`);
      const text = await readFile(join(dir, folder.name, name), 'utf8');
      files.push({ file: `${folder.name}/${name.slice(0, -'.yaml'.length)}`, text, ...readYaml(text) });
    }
  const problems = files.flatMap(({ file, problems }) =>
    problems.map(({ line, column, message }) => `${file}.yaml:${line}:${column}: ${message}`),
  );
  problems.push(
    ...misplaced.map(
      (name) => `${name}: A file of a record is in a folder and ends in .yaml, such as tours/welcome.yaml`,
    ),
  );
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return files.sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function listFolder(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(`there is no folder ${dir}: usher pull creates it`);
  }
}

/** Writes a file if it is another than before. Returns whether it was written. */
export async function writeIfChanged(path: string, content: string | Buffer): Promise<boolean> {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(Buffer.from(content))) return false;
  await mkdir(dirname(path), { recursive: true });
  await rejectLinks(dirname(path), path);
  await writeFile(path, content);
  return true;
}

/** A link in a repository can lead anywhere, and nothing is written outside of the folder. */
async function rejectLinks(...paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if ((await lstat(path).catch(() => undefined))?.isSymbolicLink())
      throw new CommandError(`${path} is a link, which is not written through: make it a file or a folder`);
}

/** Names the place in a file of each message such as "tours/welcome.yaml: `steps[0].title` must be …". */
export function addPlaces(messages: readonly string[], files: readonly FolderFile[]): string[] {
  const byName = new Map(files.map((file) => [file.file, file]));
  return messages.map((message) => {
    const [, name = '', rest = '', path = ''] = /^(\S+?)\.yaml: ((?:`([^`]+)`)?.*)$/s.exec(message) ?? [];
    const file = byName.get(name);
    if (!file) return message;
    const { line, column } = file.placeOf(path);
    return `${name}.yaml:${line}:${column}: ${rest}`;
  });
}
