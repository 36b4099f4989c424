import type { Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { TwoGenerationCache } from '../../../http/two-generation-cache.ts';

declare module '../../../context.ts' {
  interface AppContext {
    readonly findingPaths: FindingPaths;
  }
}

/**
 * How many paths of a step are counted separately on one day. Paths of new users leave room for paths of users who were seen
 * before, and these leave room for paths of proven users: made-up users must not hide where real users have problems.
 */
const MAX_PATHS = { new: 50, known: 100, proven: 150 };
export type Reporter = keyof typeof MAX_PATHS;
/** All other paths of that day count together. No path of a page begins with this. */
const OTHER_PATHS = '*';
/** After this time, the paths that other nodes have stored are read too. */
const RELOAD_MS: Millis = 60_000;

interface Part {
  experience_id: string;
  day: number;
  part_id: string;
}

/**
 * Knows the paths on which a step was found or not, by day. A page can report any path, and each would be a row and a line in
 * the list of problems.
 */
export class FindingPaths {
  readonly #known = new TwoGenerationCache<{ at: Millis; paths: Set<string> }>(RELOAD_MS);

  /** Returns the path by which a finding is stored. Call it in the transaction that stores it. */
  async pathFor(ctx: Context, part: Part, path: string, reporter: Reporter): Promise<string> {
    const paths = await this.#pathsOf(ctx, part);
    if (!paths.has(path) && paths.size >= MAX_PATHS[reporter]) return OTHER_PATHS;
    paths.add(path);
    return path;
  }

  async #pathsOf(ctx: Context, part: Part): Promise<Set<string>> {
    const key = `${part.experience_id} ${part.day} ${part.part_id}`;
    const now = ctx.now();
    const known = this.#known.get(ctx.account.id, key, now);
    if (known && Math.abs(now - known.at) < RELOAD_MS) return known.paths;
    const paths = await loadPaths(ctx, part);
    this.#known.set(ctx.account.id, key, { at: now, paths }, now);
    return paths;
  }
}

/** Each path is found from the one before, by the index: a step can have any number of findings. */
async function loadPaths(ctx: Context, { experience_id, day, part_id }: Part): Promise<Set<string>> {
  const query = ctx.db
    .selectFrom('findings')
    .select(({ fn }) => fn.min('path').as('path'))
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experience_id)
    .where('day', '=', day)
    .where('part_id', '=', part_id);
  const paths = new Set<string>();
  for (let last = OTHER_PATHS; paths.size < MAX_PATHS.proven; ) {
    const next: { path: string | null } | undefined = await query.where('path', '>', last).executeTakeFirst();
    if (!next?.path) break;
    paths.add(next.path);
    last = next.path;
  }
  return paths;
}
