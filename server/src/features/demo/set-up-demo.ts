import { CreateExperience, CreateUrl, compileReader, type ExperienceFields, kindOfPath } from '@usher/domain';
import { type AppContext, type Context, createContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { CreatedAccount } from '../accounts/create-account.ts';
import { createExperience } from '../experiences/create-experience.ts';
import { createUrl } from '../urls/create-url.ts';

/** As `examples/demo/experiences.json` has them: `@key` stands for the ID of an earlier one. */
export interface DemoExperience {
  key: string;
  /** `tours` */
  path: string;
  params: Record<string, unknown>;
}

const readExperience = compileReader<ExperienceFields>(CreateExperience);
const readUrl = compileReader<CreateUrl>(CreateUrl);

/** Publishes what the demo site shows, in the name of the owner, as the API would. */
export async function setUpDemo(
  app: AppContext,
  { account_id, user_id }: Pick<CreatedAccount, 'account_id' | 'user_id'>,
  experiences: readonly DemoExperience[],
): Promise<void> {
  const actor = { id: user_id, name: 'owner', email: '', role: 'owner' } as const;
  const account = createContext(app, { account: { id: account_id }, actor });
  await account.transaction(async (ctx) => {
    for (const host of hostsOf(app.publicUrl)) await createUrl(ctx, read(readUrl, { host, enabled: 'on' }, ctx));
    const ids = new Map<string, string>();
    for (const { key, path, params } of experiences) {
      const kind = kindOfPath(path);
      if (!kind) throw new Error(`The demo has a ${path}, and there is no such kind`);
      const whole = { ...(withIds(params, ids) as object), published_at: '$now' };
      ids.set(key, (await createExperience(ctx, kind, read(readExperience, whole, ctx))).id);
    }
  });
}

/** By which the site is reached: named, so that it goes on when others are added. */
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

function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith('@') ? (ids.get(value.slice(1)) ?? value) : value;
  if (Array.isArray(value)) return value.map((one) => withIds(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withIds(one, ids)]));
}
