import type { Config } from './config.ts';
import type { Gate, QueuedCall } from './core/api.ts';
import type { Events } from './core/events.ts';
import type { Experiences } from './core/experiences.ts';
import type { SendQueue } from './core/send-queue.ts';
import type { Transport } from './core/transport.ts';
import type { User } from './core/user.ts';
import type { Visits } from './core/visits.ts';
import { safely } from './page/safely.ts';
import type { Store } from './page/store.ts';
import { registerModule } from './register-module.ts';
import type { VisitResponse } from './wire.ts';

/** A call of `usher.consent`. */
interface ConsentChange {
  gate: Gate;
  wanted: unknown;
}

interface Dependencies {
  config: Config;
  transport: Transport;
  store: Store;
  events: Events;
  queue: SendQueue;
  user: User;
  visits: Visits;
  experiences: Experiences;
}

export type ChangeConsent = (deps: Dependencies, change: ConsentChange) => void;

const NAME = 'consent';
const MAX_HELD = 500;
type State = 'granted' | 'denied' | 'pending';
let state: State | undefined;
/** Adds to the queue, as it does with consent. */
let add: SendQueue['add'] | undefined;
let stopFollowing: (() => void) | undefined;

const changeConsent: ChangeConsent = (deps, { gate, wanted }) => {
  const { store, events, queue } = deps;
  gate.held ??= [];
  const { held } = gate;
  add ??= queue.add;
  store.enable(true, 1);
  const isRemembered = wanted === 'pending' && store.get(NAME, true) === 'granted';
  const next: State = isRemembered || wanted === 'granted' ? 'granted' : wanted === 'denied' ? 'denied' : 'pending';
  if (next === 'granted') {
    store.set(NAME, next, true);
    grant(deps, gate);
    return;
  }
  if (state !== next) stopAll(deps, held);
  if (next === 'denied') {
    removeStored();
    // Who changes their mind later is identified then, but what they did meanwhile was never sent.
    held.splice(0, held.length, ...held.filter(([name]) => name !== 'track'));
  }
  store.enable(false, 1);
  held.splice(0, held.length - MAX_HELD);
  // There is no visit that reports could belong to.
  queue.add = ({ onResponse }) => onResponse?.(undefined);
  if (state === next) return;
  state = next;
  deps.config.consent = next;
  if (next !== 'pending') return;
  void showFreeOnes(deps);
  stopFollowing = events.on('app:navigate', () => void showFreeOnes(deps));
};

function grant(deps: Dependencies, gate: Gate): void {
  const { config, queue } = deps;
  if (state) stopAll(deps);
  const wasDenied = state === 'denied';
  state = undefined;
  delete config.consent;
  queue.add = add ?? queue.add;
  const { held = [] } = gate;
  delete gate.held;
  for (const call of held) if (!wasDenied || call[0] !== 'track') gate.call(call);
}

/** Ends what shows. The page does not identify the user again when they change their mind, so the call is kept. */
function stopAll({ experiences, visits, user, queue }: Dependencies, held?: QueuedCall[]): void {
  stopFollowing?.();
  stopFollowing = undefined;
  const { identity } = user;
  if (held && identity) {
    const { properties, ...fields } = identity;
    held.unshift(['identify', [{ ...properties, ...fields }]]);
  }
  experiences.stopAll();
  visits.clear();
  user.clear();
  queue.drop();
}

function removeStored(): void {
  for (const storage of [() => localStorage, () => sessionStorage])
    safely(() => {
      for (const key of Object.keys(storage())) if (key.startsWith('usher:')) storage().removeItem(key);
    });
}

/** Sends nothing but the address of the page, and shows the Experiences that need no personal data. */
async function showFreeOnes({ config, transport, visits }: Dependencies): Promise<void> {
  const { href } = location;
  const request = { account_token: config.token, href };
  const { status, body } = await transport.post('/v3/observe/pages', request, false);
  if (status !== 200 || state !== 'pending' || href !== location.href) return;
  const unknown = { profile: {}, visit: { token: '' }, deliveries: [] };
  safely(() => visits.apply({ ...unknown, ...body } as unknown as VisitResponse, href));
}

registerModule('consent', changeConsent);
