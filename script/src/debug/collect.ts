import type { ActiveExperience } from '../active-experience.ts';
import type { Config } from '../config.ts';
import type { Experiences } from '../core/experiences.ts';
import type { ExplicitRequests } from '../core/explicit-requests.ts';
import type { Modules } from '../core/modules.ts';
import type { Transport } from '../core/transport.ts';
import type { User } from '../core/user.ts';
import type { Visits } from '../core/visits.ts';
import type { Ui } from '../kind.ts';
import type { Store } from '../page/store.ts';
import type { PageExperience } from '../wire.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import type { Explanations } from './explanations.ts';

/** What the panel reads from the core. */
export interface DebugDependencies {
  config: Config;
  transport: Transport;
  store: Store;
  scriptModules: Modules;
  user: User;
  visits: Visits;
  experiences: Experiences;
  requests: ExplicitRequests;
}

/** One Experience, or one Delivery of it. */
export interface Entry {
  key: string;
  id: string;
  kind: string;
  name: string;
  state: 'showing' | 'waiting' | 'off';
  notes: string[];
  targets: Element[];
}

export interface Snapshot {
  /** The problem that keeps everything from showing. */
  problem: string;
  entries: Entry[];
  requests: string[];
  user: [name: string, value: string][];
  script: [name: string, value: string][];
}

type Named = Pick<PageExperience, 'id' | 'kind' | 'title' | 'steps' | 'trigger_text'>;

/** Collects everything that the panel shows. */
export function collect(deps: DebugDependencies, ui: Ui, explanations: Explanations): Snapshot {
  return {
    problem: findProblem(deps),
    entries: listEntries(deps, ui, explanations),
    requests: deps.transport.log.map(({ path, status, messages, startedAt, endedAt }) => {
      const outcome = status || 'no response';
      const error = status === 200 || !messages ? '' : `: ${[messages].flat().join(' ')}`;
      return `${path} ${outcome}, ${Math.round(endedAt - startedAt)} ms${error}`;
    }),
    user: describeUser(deps),
    script: [
      ['Server', deps.config.url ?? ''],
      ['Host', `${location.host} (${describeHost(deps)})`],
      ['Page', location.href],
      ['Script', deps.config.files.core.path.replace(/.*\//, '')],
      ['Account token', shorten(deps.config.token)],
      ['Debug token', explanations.token ? shorten(explanations.token) : 'none'],
    ],
  };
}

function lastVisit({ transport }: DebugDependencies) {
  return transport.log.find(({ path }) => path.endsWith('/visits'));
}

function describeHost(deps: DebugDependencies): string {
  const { status } = lastVisit(deps) ?? {};
  if (deps.visits.current) return 'on';
  return status === 403 ? 'rejected by the server' : 'not known yet';
}

function findProblem(deps: DebugDependencies): string {
  const { config, user, visits } = deps;
  const { status, messages } = lastVisit(deps) ?? {};
  if (config.consent === 'denied') return 'The user has not consented: nothing is sent, stored or shown.';
  if (config.consent)
    return 'The page waits until the user has consented. Until then, only Experiences that need no personal data show.';
  if (!user.identity) return 'The page has not called usher.identify() yet. Nothing shows before that.';
  if (status !== undefined && status !== 200)
    return `The last visit failed: ${status ? `${status} ${[messages].flat().join(' ')}` : 'no response from the server'}`;
  return visits.current ? '' : 'Waiting for the server.';
}

function listEntries(deps: DebugDependencies, ui: Ui, { byId, deliveries }: Explanations): Entry[] {
  const { experiences, scriptModules, visits } = deps;
  const { response } = visits.current ?? {};
  const nameOf = (experience: Named) => byId?.get(experience.id)?.name ?? titleOf(ui, experience);
  const page = {
    ...{ matchesPage: scriptModules.matchesPage, hasCodes: true },
    nameOfOther: (active: ActiveExperience) => {
      const other = [...experiences.list()].find(
        (candidate) => candidate !== active && (candidate.hasSlot || candidate.experience.step_id),
      );
      return other && nameOf(other.experience);
    },
  };
  const entries = new Map<string, Entry>();
  const add = (key: string, experience: Named, label: string, notes: string[]) => {
    const { id, kind } = experience;
    const active = experiences.find(key);
    const state = active ? withPlace(diagnose(active, page)) : { state: 'off' as const, notes, targets: [] };
    const theme = byId?.get(id)?.theme;
    const look = theme ? [`Theme: ${theme.name}${theme.variation ? `, variation ${theme.variation}` : ''}`] : [];
    const all = { ...state, notes: [...state.notes, ...look] };
    entries.set(key, { key, id, name: nameOf(experience) + label, kind, ...all });
  };

  for (const active of experiences.list())
    add(active.delivery?.id ?? active.experience.id, active.experience, active.delivery ? ' (Delivery)' : '', []);
  for (const experience of response?.experiences ?? [])
    if (experience.automatic && !entries.has(experience.id)) {
      const explained = byId?.get(experience.id);
      const fromServer = explained?.reasons ?? (byId ? ['Archived or deleted since the last visit'] : []);
      add(experience.id, experience, '', fromServer.length > 0 ? fromServer : ['Ended since the last visit']);
    }
  for (const delivery of response?.deliveries ?? []) {
    const { id, model_id, model_kind: kind, ready, from } = delivery;
    if (entries.has(id)) continue;
    const experience = response?.experiences.find((candidate) => candidate.id === model_id) ?? { id: model_id, kind };
    const reason = ready ? 'Ended since the last visit' : from ? `Not before ${from}` : 'The server says: not ready';
    const fromServer = deliveries?.get(id) ?? [];
    add(id, experience, ' (Delivery)', fromServer.length > 0 ? fromServer : [reason]);
  }
  const known = new Set([...entries.values()].map(({ id }) => id));
  for (const { reasons, ...experience } of byId?.values() ?? [])
    if (!known.has(experience.id))
      add(experience.id, experience, '', reasons.length > 0 ? reasons : ['It can show: load the page again']);
  return [...entries.values()];
}

/** Puts the number of the step before what is said about it. */
function withPlace({ place, state, notes, targets }: Diagnosis): Pick<Entry, 'state' | 'notes' | 'targets'> {
  if (!place) return { state, notes, targets };
  return { state, notes: state === 'showing' ? [place] : notes.map((note) => `${place}: ${note}`), targets };
}

function titleOf(ui: Ui, { id, title, trigger_text, steps = [] }: Named): string {
  const [step] = steps;
  return (
    ui.toPlainText(title) || ui.toPlainText(trigger_text) || (step && ui.nameOf(step)) || `Experience ${id.slice(-6)}`
  );
}

function describeUser({ user, visits }: DebugDependencies): Snapshot['user'] {
  const { identity } = user;
  if (!identity) return [];
  const { current } = visits;
  const hash = identity.uid_hash ?? identity.identity_hash;
  // The token of a visit says whether the server has verified a hash.
  const isVerified = /\.proven\.[^.]*$/.test(current?.token ?? '');
  const { uid, properties } = identity;
  return [
    ['uid', uid ?? `${current?.profile.uid ?? 'not known yet'} (has not signed in)`],
    ['hash', isVerified ? 'verified by the server' : hash ? 'sent, but not verified' : 'not sent'],
    ...Object.entries({ ...properties, ...current?.profile })
      .filter(([name, value]) => name !== 'uid' && value !== null)
      .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ];
}

function shorten(token: string): string {
  return token.length > 12 ? `${token.slice(0, 10)}…` : token;
}
