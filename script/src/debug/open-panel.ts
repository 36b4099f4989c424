import type { ActiveExperience } from '../active-experience.ts';
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
  const { panel, explanations, refresh } = await opened;
  if (typeof token === 'string') explanations.use(token);
  save(deps, explanations, panel.state);
  if (!isReopened) panel.focus();
  refresh();
}

type Saved = PanelState & { token?: string | undefined };

function save({ store }: DebugDependencies, { token }: Explanations, state: PanelState): void {
  store.set('debug', JSON.stringify({ ...state, token } satisfies Saved));
}

async function create(deps: DebugDependencies): Promise<OpenPanel> {
  const renderer = await deps.experiences.loadRenderer();
  const explanations = createExplanations(deps);
  const { token, ...state } = JSON.parse(deps.store.get('debug') ?? '{}') as Saved;
  if (token) explanations.use(token);
  let panel: Panel | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = () => {
    clearTimeout(timer);
    const startedAt = performance.now();
    if (panel && !document.hidden) panel.update(collect(deps, panel.ui, explanations), explanations);
    const pause = (performance.now() - startedAt) * PAUSE_FACTOR;
    timer = setTimeout(refresh, Math.max(REFRESH_MS, pause));
    void explanations.update().then((isNew) => isNew && opened && refresh());
  };
  // The renderer paints the panel like an Experience, which gives it the layer and its isolation.
  const handle = renderer.paint({ experience: {} } as ActiveExperience, (_, ui) => {
    panel = createPanel(ui, state, {
      show: (id) => deps.requests.show(id),
      onState: (next) => save(deps, explanations, next),
      close: () => {
        opened = undefined;
        clearTimeout(timer);
        deps.store.set('debug');
        handle.stop();
      },
    });
    return { stop: panel.stop };
  });
  return { panel: panel as unknown as Panel, explanations, refresh };
}
