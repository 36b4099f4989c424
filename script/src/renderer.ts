import type { ActiveExperience } from './active-experience.ts';
import type { Cleanup, Handle, Paint } from './kind.ts';
import { createEscape } from './page/focus.ts';
import { createLayer } from './page/layer.ts';
import { runAll } from './page/run-all.ts';
import { safely } from './page/safely.ts';
import style from './page/style.css';
import { createUi, type UiDependencies } from './page/ui.ts';
import type { Wait } from './page/wait.ts';
import { createWatch } from './page/watch.ts';
import { registerModule } from './register-module.ts';
// A tour is so small that a file of its own would take longer to request than to load.
import './kinds/tour.ts';

/* The renderer paints active Experiences. It is loaded when the first one starts. */

export interface Renderer {
  /** Paints an Experience with the code of its kind. */
  paint(active: ActiveExperience, paintKind: Paint): Handle;
  /** Call it when the URL of the page has changed. */
  pageChanged(): void;
  /** Call it when the page closes: the steps that still wait report that they have not been shown. */
  pageClosed(): void;
}

/** What the renderer needs from the core. */
export type RendererDependencies = Pick<UiDependencies, 'config' | 'matchesPage' | 'scheduleVisit'>;
export type CreateRenderer = (deps: RendererDependencies) => Renderer;

/** The second attempt comes after this time, because the page may be in the middle of building itself. */
const RETRY_MS = 1000;

const createRenderer: CreateRenderer = (deps) => {
  const watch = createWatch();
  const layer = createLayer(style);
  const waits = new Set<Wait>();
  const onEscape = createEscape(() => layer.root().host);
  /** Tries again after a while if painting fails. If the second attempt fails too, another Experience gets the slot. */
  const paint = (active: ActiveExperience, paintKind: Paint): Handle => {
    const cleanups: Cleanup[] = [];
    // The second attempt keeps the handle, because other code has it and may have replaced its `stop`.
    const handle: Handle = { stop: () => runAll(cleanups) };
    const attempt = (isRetry = false) => {
      const onError: UiDependencies['onError'] = (error, step_id) => {
        console.debug('usher', error);
        runAll(cleanups);
        if (isRetry) {
          active.report({ ...(step_id && { step_id }), problem: { reason: 'error' }, href: location.href });
          active.stop();
          return;
        }
        const timer = setTimeout(() => {
          // The second attempt begins with the current step, because the user has seen the steps before it.
          active.startStepId = active.currentStepId;
          safely(() => attempt(true));
        }, RETRY_MS);
        cleanups.push(() => clearTimeout(timer));
      };
      const { ui, stop } = createUi(active, { ...deps, watch, layer, waits, onEscape, onError });
      cleanups.push(stop);
      try {
        const painted = paintKind(active, ui);
        cleanups.unshift(painted.stop);
        Object.assign(handle, { ...painted, stop: handle.stop });
      } catch (error) {
        onError(error);
      }
    };
    attempt();
    return handle;
  };
  return {
    paint,
    pageChanged: watch.changed,
    pageClosed: () => {
      for (const wait of waits) wait.reportProblem();
    },
  };
};

registerModule('renderer', createRenderer);
