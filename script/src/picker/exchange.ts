import type { PageSketch } from '../../../domain/src/picks/page-sketch.ts';
import type { LookPart } from '../../../domain/src/themes/look-parts.ts';
import type { PageLooks } from '../../../domain/src/themes/page-look-schema.ts';
import type { Config } from '../config.ts';
import type { Transport } from '../core/transport.ts';
import { canRetry } from '../engine/retry.ts';
import { safely } from '../page/safely.ts';
import type { Store } from '../page/store.ts';
import type { EndState, Kind, PageElement, PageExperience, PageTheme } from '../wire.ts';
import type { Candidate } from './selectors/suggest.ts';
import { withoutHalfCharacters } from './well-formed.ts';
import type { Rect, Wireframe } from './wireframe.ts';

/** The pick, as the server describes it. */
export interface PickInfo {
  purpose: 'pick' | 'try' | 'theme' | 'event';
  administrator: { name: string };
  account: { name: string };
  experience: { id: string; kind: Kind; name: string };
  /** The theme, for the purpose `theme`. Then there is no Experience. */
  theme: { id: string; name: string } | null;
  /** The event, for the purpose `event`. Then there is no Experience. */
  event_name?: { id: string; name: string; elements: PageElement[] } | null;
  step: { id: string; number: number; title: string | null; elements?: PageElement[] } | null;
}

export interface PickResult {
  /** The elements that the step should store, in this order. */
  elements: PageElement[];
  candidates: Candidate[];
  /** An attribute for the developers of the page, such as `data-usher="save"`. */
  attribute: string;
  /** The language of the element's text, if the page declares it. */
  language?: string;
  box: Rect;
  wireframe: Wireframe;
  sketch: PageSketch;
}

/** The state that the next page of the tab needs to continue. */
interface Saved {
  token: string;
  /** Whether the administrator has begun to pick, or to try the draft. */
  started?: boolean;
  /** Whether the draft waits for its triggers, as for users. */
  real?: boolean;
  /** The step of the draft that shows or waits. */
  step?: string | undefined;
  /** Whether the administrator has jumped to that step, so that it shows on any page. */
  jumped?: boolean;
  /** How the draft has ended. */
  ended?: EndState | undefined;
  /** Whether the bar is at the other edge of the window. */
  moved?: boolean;
  /** What was taken for a theme, and what the administrator has skipped. */
  looks?: PageLooks;
  skipped?: LookPart[];
}

/** The draft, as a page load would get it. */
export interface Draft {
  experience: PageExperience;
  labels?: Record<string, string>;
  themes?: Record<string, PageTheme>;
  /** The user whose values the texts have; null if nothing is known of the user. */
  user: { name: string; is_chosen: boolean } | null;
  /** The names of the tours and surveys that its buttons and items lead to, by their IDs. */
  names: Record<string, string>;
}

export type Answer = { pick: PickInfo } | Failure;
export interface Failure {
  /** The heading of the error; missing when `canRetry` says enough. */
  title?: string;
  error: string;
  /** Whether the same request may succeed later. Otherwise the pick is over. */
  canRetry: boolean;
}

/** Talks to the server about one pick. Its token is in the storage of the tab, for the next page. */
export interface Exchange {
  readonly saved: Readonly<Partial<Saved>>;
  save(changes: Partial<Saved>): void;
  /** Exchanges a key or a code for a token. It works once. */
  open(secret: { key: string } | { code: string }): Promise<Answer>;
  /** Loads the pick that the token of the previous page is for. */
  resume(): Promise<Answer>;
  /** Sends a result. Resolves to undefined if the server has it. */
  send(result: PickResult): Promise<Failure | undefined>;
  /** Sends how the page looks, for a theme. Resolves to undefined if the server has it. */
  sendLooks(looks: PageLooks): Promise<Failure | undefined>;
  /** Gets the draft of an Experience, with the texts for the user of a visit. */
  loadDraft(visitToken: string | undefined): Promise<Draft | Failure>;
  end(): void;
}

interface ExchangeDependencies {
  config: Config;
  transport: Transport;
  store: Store;
}

const PATH = '/v3/observe/picks';
const MAX_TITLE = 200;

export function createExchange({ config, transport, store }: ExchangeDependencies): Exchange {
  // The page can write anything into its storage, so the JSON may be invalid.
  let saved: Partial<Saved> = safely(() => JSON.parse(store.get('pick') ?? '{}') as Partial<Saved>) ?? {};
  const save = (changes: Partial<Saved>) => {
    saved = { ...saved, ...changes };
    if (saved.token) store.set('pick', JSON.stringify(saved));
  };
  const forget = () => {
    saved = {};
    store.set('pick');
  };

  const post = async <Body>(path: string, params: object): Promise<Body | Failure> => {
    // Browsers limit a request that outlives its page to 64 KB.
    const { status, body = {} } = await transport.post(PATH + path, params, false);
    if (status === 200) return body as Body;
    const error = status ? [body.messages].flat().join(' ') : 'The Usher server does not respond.';
    return { error, canRetry: canRetry(status) };
  };
  const withToken = async <Body extends object>(path: string, params: object = {}): Promise<Body | Failure> => {
    const answer = await post<Body>(path, { pick_token: saved.token, ...params });
    if ('error' in answer && !answer.canRetry) forget();
    return answer;
  };

  const report = async (path: string, content: object): Promise<Failure | undefined> => {
    const title = document.title.slice(0, MAX_TITLE);
    const answer = await withToken(path, withoutHalfCharacters({ href: location.href, title, ...content }));
    return 'error' in answer ? answer : undefined;
  };

  return {
    get saved() {
      return saved;
    },
    save,
    open: async (secret) => {
      const answer = await post<{ pick: PickInfo }>('', {
        account_token: config.token,
        ...secret,
        href: location.href,
      });
      if ('pick' in answer) {
        const { token } = answer.pick as PickInfo & { token: string };
        save({ token, started: false });
      }
      return answer;
    },
    resume: () => withToken('/current'),
    loadDraft: async (visitToken) => {
      const path = '/content';
      const { language } = navigator;
      if (visitToken) {
        const params = { pick_token: saved.token, visit_token: visitToken };
        const answer = await post<Draft>(path, params);
        // The token of the visit may have expired, so the draft is requested again without it.
        if (!('error' in answer) || answer.canRetry) return answer;
      }
      return withToken<Draft>(path, { language });
    },
    send: (result) => report('/result', { result }),
    sendLooks: (looks) => report('/looks', { looks }),
    end: () => {
      // If this request is lost, the pick still ends automatically.
      if (saved.token) void transport.post(`${PATH}/end`, { pick_token: saved.token });
      forget();
    },
  };
}
