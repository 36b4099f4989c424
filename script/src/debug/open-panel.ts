import type { ActiveExperience } from '../active-experience.ts';
import type { Handle } from '../kind.ts';
import { collect, type DebugDependencies } from './collect.ts';
import { createExplanations, type Explanations } from './explanations.ts';
import { createPanel, type Panel, type PanelState } from './panel.ts';

const REFRESH_MS = 500;
/** Refreshing takes at most a twentieth of the time: a search for a text in thousands of rows takes long. */
const PAUSE_FACTOR = 19;

interface OpenPanel {
  panel: Panel;
  explanations: Explanations;
  refresh(): void;
}

let opened: Promise<OpenPanel> | undefined;

/** Opens the panel, or passes a token to the open one. It stays open on the next pages of the tab. */
export async function openPanel(deps: DebugDependencies, token: unknown): Promise<void> {
  const isReopened = token === undefined && !opened && !!deps.store.get('debug');
  opened ??= create(deps);
  const open = await opened.catch(giveUp);
  if (!open) return;
  const { panel, explanations, refresh } = open;
  if (typeof token === 'string') explanations.use(token);
  save(deps, explanations, panel.state);
  if (!isReopened) panel.focus();
  refresh();
}

/** Makes the next call begin from the start. The renderer has logged the error. */
function giveUp(): undefined {
  opened = undefined;
  console.info('Usher: the debug panel could not be shown; call usher.debug() again.');
}

type Saved = PanelState & { token?: string | undefined };

function save({ store }: DebugDependencies, { token }: Explanations, state: PanelState): void {
  store.set('debug', JSON.stringify({ ...state, token } satisfies Saved));
}

/** Resolves when the panel is painted: immediately, or with the second attempt of the renderer. Rejects if the second attempt fails too. */
async function create(deps: DebugDependencies): Promise<OpenPanel> {
  const renderer = await deps.experiences.loadRenderer();
  const explanations = createExplanations(deps);
  const { token, ...state } = JSON.parse(deps.store.get('debug') ?? '{}') as Saved;
  if (token) explanations.use(token);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const keepFresh = (panel: Panel) => {
    const refresh = () => {
      clearTimeout(timer);
      const startedAt = performance.now();
      if (!document.hidden) panel.update(collect(deps, panel.ui, explanations), explanations);
      const pause = (performance.now() - startedAt) * PAUSE_FACTOR;
      timer = setTimeout(refresh, Math.max(REFRESH_MS, pause));
      void explanations.update().then((isNew) => isNew && opened && refresh());
    };
    return refresh;
  };
  return new Promise((resolve, reject) => {
    // The renderer paints the panel like an Experience, so the panel gets the layer and its isolation. `stop` is called
    // if the panel cannot be painted.
    const active = { experience: {}, report: () => {}, stop: reject };
    const handle: Handle = renderer.paint(active as unknown as ActiveExperience, (_, ui) => {
      const panel = createPanel(ui, state, {
        show: (id) => deps.requests.show(id),
        onState: (next) => save(deps, explanations, next),
        close: () => {
          opened = undefined;
          clearTimeout(timer);
          deps.store.set('debug');
          handle.stop();
        },
      });
      resolve({ panel, explanations, refresh: keepFresh(panel) });
      return { stop: panel.stop };
    });
  });
}
