import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyWithNewKind, filesOfKind, removeCopy } from './new-kind.ts';

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await copyWithNewKind();
});
afterAll(() => removeCopy(folder));

describe('a new kind', () => {
  it('needs the files that docs/fields-and-kinds.md lists', () => {
    const [, section = ''] = readFileSync(join(folder, 'docs/fields-and-kinds.md'), 'utf8').split('## Add a kind');
    const [table = ''] = /^\|.*\|$/ms.exec(section) ?? [];
    const named = [...table.matchAll(/`([\w./<>-]+\/[\w.<>-]+)`/g)].map(([, file]) =>
      file?.replace('<kind>', 'notice'),
    );
    expect(new Set(named)).toEqual(new Set(filesOfKind));
  });

  it('needs no other change: all types fit, and no other code names a kind', { timeout: 240_000 }, async () => {
    const { routes } = await import(join(folder, 'server/src/app.ts'));
    const { describeApi } = await import(join(folder, 'server/src/http/openapi.ts'));
    const { writeApiSchema } = await import(join(folder, 'dashboard/test/api-schema.ts'));
    const schema = writeApiSchema(describeApi(routes, { version: '0', serverUrl: 'http://127.0.0.1', byKind: false }));
    writeFileSync(join(folder, 'dashboard/src/api/schema.ts'), schema);
    const server = { extends: './tsconfig.json', include: ['server/src'], exclude: ['**/*.test.ts'] };
    writeFileSync(join(folder, 'tsconfig.server.json'), JSON.stringify(server));
    const tsc = join(folder, 'node_modules/typescript/bin/tsc');
    for (const project of ['domain', 'script', 'dashboard', 'tsconfig.server.json']) {
      const { stdout } = await run(process.execPath, [tsc, '-p', project], { cwd: folder }).catch((error) => error);
      expect(stdout).toBe('');
    }
    await run(process.execPath, [join(folder, 'scripts/check-kinds.mjs')]);
  });
});
