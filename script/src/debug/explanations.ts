import type { Kind } from '../wire.ts';
import type { DebugDependencies } from './collect.ts';

/** What the server explains to a page with a debug token. */
export interface Explanations {
  readonly token: string | undefined;
  /** The explained Experiences by ID; undefined until the server has responded. */
  readonly byId: ReadonlyMap<string, ExplainedExperience> | undefined;
  /** The reasons against each Delivery, by its ID. */
  readonly deliveries: ReadonlyMap<string, string[]> | undefined;
  /** Why the server explains nothing. */
  readonly error: string;
  use(token: string): void;
  /**
   * Sends the request again if something has happened since the last time. Resolves to whether there is a new response.
   */
  update(): Promise<boolean>;
}

interface ExplainedExperience {
  id: string;
  kind: Kind;
  name: string;
  reasons: string[];
  /** How it looks for the user; null for the look of the script. */
  theme: { name: string; variation: string | null } | null;
}

interface Explained {
  id: string;
  reasons: { message: string }[];
}

const PATH = '/v3/observe/explanations';

export function createExplanations({ transport, visits }: DebugDependencies): Explanations {
  let token: string | undefined;
  let byId: Map<string, ExplainedExperience> | undefined;
  let deliveries: Map<string, string[]> | undefined;
  let error = '';
  let lastState = '';
  const reasonsOf = ({ reasons }: Explained) => reasons.map(({ message }) => message);
  return {
    get token() {
      return token;
    },
    get byId() {
      return byId;
    },
    get deliveries() {
      return deliveries;
    },
    get error() {
      return error;
    },
    use: (next) => {
      token = next;
      lastState = '';
    },
    update: async () => {
      const { current } = visits;
      // The user may have done something since the last response, which changes what shows.
      const lastRequest = transport.log.find(({ path }) => path !== PATH)?.startedAt;
      const state = [token, current?.token, location.href, lastRequest].join();
      if (!token || !current || state === lastState) return false;
      lastState = state;
      const params = { visit_token: current.token, debug_token: token, href: location.href };
      const { status, body = {} } = await transport.post(PATH, params);
      if (state !== lastState) return false;
      error = status === 200 ? '' : status ? [body.messages].flat().join(' ') : 'No response from the server';
      const list = (name: string) => (status === 200 ? (body[name] as (ExplainedExperience & Explained)[]) : undefined);
      byId = toMap(list('explanations'), (one) => ({ ...one, reasons: reasonsOf(one) }));
      deliveries = toMap(list('deliveries'), reasonsOf);
      return true;
    },
  };
}

function toMap<Item extends { id: string }, Value>(items: Item[] | undefined, read: (item: Item) => Value) {
  return items && new Map(items.map((item) => [item.id, read(item)]));
}
