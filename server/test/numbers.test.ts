import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { compareNumbers, createMet } from '../../reliability/numbers/compare.mjs';
import { createRandom, generate } from '../../reliability/numbers/generate.mjs';
import { forEachPart } from '../../reliability/numbers/parts.mjs';
import { startApi } from './api.ts';
import { engine } from './engine.ts';
import { recountUse } from './use-rows.ts';

/** `npm run reliability -- numbers` does the same with 100,000 people and 1,000,000 events. */
it('returns the same numbers from the API as plain SQL does', async () => {
  const api = await startApi();
  const { account_id: accountId } = api.account;
  const call = async (path: string, content?: unknown) => {
    const { status, body } = await (content === undefined ? api.get(path) : api.post(path, content));
    expect([path, status < 300, body.messages]).toEqual([path, true, undefined]);
    return body;
  };
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await api.send(method, path, { body });
    expect([path, response.status < 300, response.body.messages]).toEqual([path, true, undefined]);
    return response.body;
  };
  const run = async (text: string) => {
    const { rows } = await api.app.storage.write(accountId, (db) => db.executeQuery(CompiledQuery.raw(text)));
    return rows as Record<string, unknown>[];
  };
  const met = await createMet(call);
  const made = new Map<string, unknown>();
  await forEachPart(async (part) => made.set(part.name, await part.create?.(call, met)));
  const now = Date.now();
  await generate(run, accountId, now, met, { people: 600, events: 3000, seed: 7 });
  const random = createRandom(7);
  await forEachPart((part, own) => part.generate?.({ run, accountId, now, met, random, people: 600 }, own), made);
  await recountUse(api.app, accountId);
  const compared = await compareNumbers({ engine: engine ?? 'sqlite', accountId, now, met, call, send, run, made });
  expect(compared.filter(({ api, sql }) => api !== sql)).toEqual([]);
  // Numbers that are all 0 would agree too. Each is one at least for some day, record, step or bar. Here no page has reported anything, and
  // nothing is deleted.
  const isEmptyHere = (name: string) => / of pages|what pages|people on pages|are missing|^rows of /.test(name);
  const inGeneral = (name: string) => name.replaceAll(/[0-9a-f]{24}/g, 'id').replaceAll(/\d+/g, 'n');
  const positive = new Set(compared.filter(({ sql }) => sql > 0).map(({ name }) => inGeneral(name)));
  const others = compared.map(({ name }) => inGeneral(name)).filter((name) => !positive.has(name));
  expect([...new Set(others)].filter((name) => !isEmptyHere(name))).toEqual([]);
  expect(compared.length).toBeGreaterThan(1000);
}, 240_000);
