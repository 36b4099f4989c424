import { adoption } from './adoption.mjs';
import { deletions } from './deletions.mjs';
import { experiments } from './experiments.mjs';
import { flow } from './flow.mjs';
import { funnels } from './funnels.mjs';
import { goals } from './goals.mjs';
import { interruptions } from './interruptions.mjs';
import { reach } from './reach.mjs';

/*
 * What further features add to `npm run reliability -- numbers`. Each part is one file beside this one; the list is the only place that
 * names it.
 */

/**
 * A part of the numbers, for example of goals. All of its functions are optional.
 * @typedef {object} Part
 * @property {string} name
 * @property {(call: import('./compare.mjs').Numbers['call'], met: import('./generate.mjs').Met) => Promise<unknown>} [create]
 *   Creates its records through the API, before the rows are generated. What it returns is `made` below
 * @property {(of: Generating, made: any) => Promise<void>} [generate] Writes its rows with SQL, after those of people and events
 * @property {(numbers: import('./compare.mjs').Numbers, compare: import('./compare.mjs').Compare, made: any) => Promise<void>} [compareNumbers]
 *   Compares numbers of the API with SQL: after the rows were generated, and again after `changeUse`
 * @property {(api: Api, made: any) => (() => Promise<unknown>)[]} [actions] What users and administrators do to it, in a random order between all
 *   other actions: also forget, clear and sign in are among these
 * @property {(of: Counting, made: any) => Promise<void>} [compareCounts] Compares the counts that it keeps with SQL over the rows, at the end
 */

/** @typedef {{ run: (sql: string) => Promise<Record<string, unknown>[]>, accountId: string, now: number, met: import('./generate.mjs').Met, random: () => number, people: number }} Generating */
/** @typedef {{ call: (path: string, content?: unknown) => Promise<any>, send: (method: string, path: string, content?: unknown) => Promise<any>, met: import('./generate.mjs').Met, pick: (below: number) => number, anyone: () => string, load: (params: object) => Promise<any> }} Api */
/** @typedef {{ compare: (kept: string, counted: string) => Promise<void>, accountId: string, now: number, whose: string }} Counting */

/** @type {Part[]} */
export const parts = [goals, experiments, flow, deletions, funnels, reach, adoption, interruptions];

/**
 * Runs a function of each part that has it, one after the other.
 * @param {(part: Part, made: unknown) => Promise<unknown> | undefined} work
 * @param {ReadonlyMap<string, unknown>} made what the parts have created, by name
 */
export async function forEachPart(work, made = new Map()) {
  for (const part of parts) await work(part, made.get(part.name));
}
