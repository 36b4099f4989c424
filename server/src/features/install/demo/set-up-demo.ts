import { CreateExperience, CreateUrl, compileReader, type ExperienceFields, kindOfPath } from '@usher/domain';
import type { AppContext, Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { invalid } from '../../../errors.ts';
import { createExperience } from '../../experiences/create-experience.ts';
import type { CreatedAccount } from '../../team/accounts/create-account.ts';
import { createUrlGroup } from '../url-groups/create-url-group.ts';
import { createUrl } from '../urls/create-url.ts';

/** An entry of `examples/demo/experiences.json`. `@key` is replaced with the ID of an earlier Experience. */
export interface DemoExperience {
  key: string;
  /** The kind in the path of the API, for example `tours`. */
  path: string;
  params: Record<string, unknown>;
}

/** The Environment of the demo site. */
export const demoEnvironment = { name: 'Demo', short_name: 'DEM', style_short_name_color: '0E7490' };

const readExperience = compileReader<ExperienceFields>(CreateExperience);
const readUrl = compileReader<CreateUrl>(CreateUrl);

/**
 * Publishes the Experiences of the demo site, with the checks of the API. They have an Environment of their own, so that
 * they never count for the domains of the product.
 */
export async function setUpDemo(
  app: AppContext,
  { account_id, user_id }: Pick<CreatedAccount, 'account_id' | 'user_id'>,
  experiences: readonly DemoExperience[],
): Promise<void> {
  const actor = { id: user_id, name: 'owner', email: '', role: 'owner' } as const;
  const account = createContext(app, { account: { id: account_id }, actor });
  await account.transaction(async (inTransaction) => {
    const ctx = withoutAudit(inTransaction);
    const { id: url_group_id } = await createUrlGroup(ctx, demoEnvironment);
    for (const host of hostsOf(app.publicUrl))
      await createUrl(ctx, read(readUrl, { host, enabled: 'on', url_group_id }, ctx));
    const ids = new Map<string, string>();
    for (const { key, path, params } of experiences) {
      const kind = kindOfPath(path);
      if (!kind) throw new Error(`The demo has a ${path}, and there is no such kind`);
      const allParams = {
        ...(replaceKeys(params, ids) as object),
        published_at: '$now',
        url_group_ids: [url_group_id],
      };
      ids.set(key, (await createExperience(ctx, kind, read(readExperience, allParams, ctx))).id);
    }
  });
}

/** The server creates the demo when it first starts, so the audit log names no administrator as its author. */
function withoutAudit(ctx: Context): Context {
  const silent: Context = { ...ctx, skipsAudit: true, transaction: (work) => work(silent) };
  return silent;
}

/** The hosts of the demo site are added explicitly, so that it still works when other hosts are added. */
function hostsOf(publicUrl: string): Set<string> {
  const { hostname } = new URL(publicUrl);
  const isAny = hostname === '0.0.0.0' || hostname === '[::]';
  return new Set(['127.0.0.1', 'localhost', ...(isAny ? [] : [hostname])]);
}

function read<T>(reader: ReturnType<typeof compileReader<T>>, params: unknown, ctx: Context): T {
  const reading = reader(params, ctx.now());
  if ('problems' in reading) throw invalid(...reading.problems);
  return reading.value;
}

function replaceKeys(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith('@') ? (ids.get(value.slice(1)) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => replaceKeys(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceKeys(item, ids)]));
}
