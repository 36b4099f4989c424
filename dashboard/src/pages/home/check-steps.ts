import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import type { StepName } from './links.ts';

type Installation = Pick<
  ResponseOf<'GET /v3/analyze/installation'>['installation'],
  'hosts' | 'demo_url' | 'server_url'
>;
type Counts = ResponseOf<'GET /v3/analyze/live'>['counts'];

export interface Step {
  name: StepName;
  isDone: boolean;
  /** What was found, as a text. */
  found: string;
}

/**
 * Checks which steps are done, by what the server has seen. Sample data, and the demo site of this server, do not
 * count.
 */
export function checkSteps(installation: Installation, { own, own_live }: Counts): Step[] {
  const { steps } = text.home.start;
  const hosts = installation.hosts.filter((host) => !isOurs(host, installation));
  const loaded = hosts.find(isLoaded);
  const isOnDemoOnly = !loaded && installation.hosts.some(isLoaded);
  const [on, ...others] = hosts.filter(({ state }) => state === 'on');
  const off = hosts.find(({ state, installed_at }) => state === 'off' && installed_at !== null);
  return [
    {
      name: 'install',
      isDone: loaded !== undefined,
      found: loaded ? steps.install.done(loaded.host) : isOnDemoOnly ? steps.install.onDemoOnly : steps.install.open,
    },
    {
      name: 'domain',
      isDone: on !== undefined,
      found: on ? steps.domain.done(on.host, others.length) : off ? steps.domain.found(off.host) : steps.domain.open,
    },
    { name: 'create', isDone: own > 0, found: own > 0 ? steps.create.done(own) : steps.create.open },
    { name: 'publish', isDone: own_live > 0, found: own_live > 0 ? steps.publish.done(own_live) : steps.publish.open },
  ];
}

function isLoaded({ installed_at, first_seen_at }: Installation['hosts'][number]): boolean {
  return installed_at !== null || first_seen_at !== null;
}

const SAMPLE_HOST = 'sample.example';
/** The server creates it together with the demo. */
const DEMO_ENVIRONMENT = 'Demo';

/** A host of the demo belongs to the product once it is in another Environment. */
function isOurs({ host, environment }: Installation['hosts'][number], { demo_url, server_url }: Installation): boolean {
  if (host === SAMPLE_HOST) return true;
  if (demo_url === null || (environment !== null && environment.name !== DEMO_ENVIRONMENT)) return false;
  return ['127.0.0.1', 'localhost', new URL(server_url).hostname].includes(host);
}
