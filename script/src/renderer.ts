import type { ActiveExperience } from './active-experience.ts';
import type { Handle, Paint } from './kind.ts';
import { findModal, isInside } from './page/find.ts';
import { createEscape } from './page/focus.ts';
import { createLayer } from './page/layer.ts';
import { runAll } from './page/run-all.ts';
import style from './page/style.css';
import { createUi, type UiDependencies } from './page/ui.ts';
import type { Wait } from './page/wait.ts';
import { createWatch } from './page/watch.ts';
import { registerPart } from './register-part.ts';
// A tour is so small that a file of its own would take longer to request than to load.
import './kinds/tour.ts';

/* The renderer paints active Experiences. It is loaded when the first one starts. */

export interface Renderer {
  /** Paints an Experience with the code of its kind. */
  paint(active: ActiveExperience, paintKind: Paint): Handle;
  /** The URL of the page has changed. */
  pageChanged(): void;
  /** The page closes: steps that still wait have not been shown. */
  pageClosed(): void;
}

/** What the renderer needs from the core. */
export type RendererDependencies = Pick<UiDependencies, 'config' | 'matchesPage' | 'scheduleVisit'>;
export type CreateRenderer = (deps: RendererDependencies) => Renderer;

/** The page may be in the middle of building itself. */
const RETRY_MS = 1000;

const createRenderer: CreateRenderer = (deps) => {
  const watch = createWatch();
  const layer = createLayer(style);
  const waits = new Set<Wait>();
  const onEscape = createEscape(() => {
    const dialog = findModal();
    return !!dialog && !isInside(layer.root().host, dialog);
  });
  /** Tries once more after a while if it fails. If that fails too, another Experience gets the slot. */
  const paint = (active: ActiveExperience, paintKind: Paint, isRetry = false): Handle => {
    let handle: Handle | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onError: UiDependencies['onError'] = (error, step_id) => {
      console.debug('usher', error);
      stop();
      if (isRetry) {
        active.report({ ...(step_id && { step_id }), problem: { reason: 'error' }, href: location.href });
        active.stop();
      } else
        timer = setTimeout(() => {
          // What the user has seen is not shown again.
          active.startStepId = active.currentStepId;
          active.handle = paint(active, paintKind, true);
        }, RETRY_MS);
    };
    const { ui, stop: stopUi } = createUi(active, { ...deps, watch, layer, waits, onEscape, onError });
    const stop = () => runAll([() => clearTimeout(timer), () => handle?.stop(), stopUi]);
    try {
      handle = paintKind(active, ui);
    } catch (error) {
      onError(error);
    }
    return { ...handle, stop };
  };
  return {
    paint,
    pageChanged: watch.changed,
    pageClosed: () => {
      for (const wait of waits) wait.reportProblem();
    },
  };
};

registerPart('renderer', createRenderer);
