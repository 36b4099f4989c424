import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EncodedText, encodeText } from '../http/encoded-response.ts';

/** The dashboard as it was built. */
export interface DashboardFiles {
  /** The page, with `CSP_NONCE` where the nonce belongs. */
  page: string;
  assets: ReadonlyMap<string, EncodedText>;
}

/** Returns undefined if the dashboard was not built. */
export function readDashboardFiles(folder: string): DashboardFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name));
  return {
    page,
    assets: new Map(
      names.map((name) => {
        const read = (extension = '') => readFileSync(join(assets, `${name}${extension}`));
        return [name, encodeText(read(), { br: read('.br'), gzip: read('.gz') })];
      }),
    ),
  };
}
