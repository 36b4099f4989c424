import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether packages of Debian can be downloaded here. */
export const hasDebian =
  spawnSync('apt-get', ['--version']).status === 0 && spawnSync('dpkg-deb', ['--version']).status === 0;

/** Downloads packages and unpacks them into a temporary folder, without installing anything. */
export function unpackDebianPackages(names: string[]): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'usher-debian-'));
  execFileSync('apt-get', ['download', ...names], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
