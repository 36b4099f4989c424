import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EncodedText, encodeText } from '../http/encoded-response.ts';

/** The browser script as it was built. */
export interface ScriptFiles {
  /** The part that every page loads first; the configuration of the account is put before it. */
  loader: string;
  /** The part that comes before the loader at an alias. */
  alias: string;
  /** The path and the integrity of the other parts. */
  parts: Parts;
  /** The same parts under names that say nothing, for content blockers. */
  neutralParts: Parts;
  byName: ReadonlyMap<string, EncodedText>;
}

type Parts = Record<string, { path: string; integrity: string }>;

interface Manifest {
  [part: string]: { file: string; integrity: string };
}

/**
 * Returns a function that reads the script at its first call. It returns undefined as long as the script is not built.
 */
export function lazyScriptFiles(folder: string): () => ScriptFiles | undefined {
  let built: ScriptFiles | undefined;
  return () => {
    built ??= readScriptFiles(folder);
    return built;
  };
}

function readScriptFiles(folder: string): ScriptFiles | undefined {
  if (!existsSync(join(folder, 'manifest.json'))) return undefined;
  const { loader, alias, ...others }: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  if (!loader || !alias) return undefined;
  const parts: Parts = {};
  const neutralParts: Parts = {};
  const byName = new Map<string, EncodedText>();
  for (const [part, { file, integrity }] of Object.entries(others)) {
    // Only the hash is left of the name.
    const neutral = file.replace(/^\w+-/, '');
    parts[part] = { path: `/script/files/${file}`, integrity };
    neutralParts[part] = { path: `/script/files/${neutral}`, integrity };
    const ready = { br: readIfThere(join(folder, `${file}.br`)), gzip: readIfThere(join(folder, `${file}.gz`)) };
    const text = encodeText(readFileSync(join(folder, file)), ready as Partial<EncodedText>);
    byName.set(file, text).set(neutral, text);
  }
  const textOf = ({ file }: Manifest[string]) => readFileSync(join(folder, file), 'utf8');
  return { loader: textOf(loader), alias: textOf(alias), parts, neutralParts, byName };
}

function readIfThere(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}
