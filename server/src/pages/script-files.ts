import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Encoded, encode } from '../http/encoded-response.ts';

/** The browser script as it was built. */
export interface ScriptFiles {
  /** What stands in every page; an account's own object goes before it. */
  loader: string;
  /** The other parts: where each is on the server, and its integrity. */
  parts: Record<string, { path: string; integrity: string }>;
  byName: ReadonlyMap<string, Encoded>;
}

interface Manifest {
  [part: string]: { file: string; integrity: string };
}

/** Undefined where it was not built. */
export function readScriptFiles(folder: string): ScriptFiles | undefined {
  if (!existsSync(join(folder, 'manifest.json'))) return undefined;
  const { loader, ...requestActivity } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  if (!loader) return undefined;
  const parts: ScriptFiles['parts'] = {};
  const byName = new Map<string, Encoded>();
  for (const [part, { file, integrity }] of Object.entries(requestActivity)) {
    parts[part] = { path: `/script/files/${file}`, integrity };
    const ready = { br: readIfThere(join(folder, `${file}.br`)), gzip: readIfThere(join(folder, `${file}.gz`)) };
    byName.set(file, encode(readFileSync(join(folder, file)), ready as Partial<Encoded>));
  }
  return { loader: readFileSync(join(folder, loader.file), 'utf8'), parts, byName };
}

function readIfThere(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}
