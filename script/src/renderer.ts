import type { ActiveExperience } from './active-experience.ts';
import type { Handle, Paint } from './kind.ts';
import { findModal } from './page/find.ts';
import { createEscape } from './page/focus.ts';
import { createLayer } from './page/layer.ts';
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

const createRenderer: CreateRenderer = (deps) => {
  const watch = createWatch();
  const layer = createLayer(style);
  const waits = new Set<Wait>();
  const onEscape = createEscape(() => {
    const dialog = findModal();
    return !!dialog && !dialog.contains(layer.root().host);
  });
  return {
    paint: (active, paintKind) => {
      const { ui, stop } = createUi(active, { ...deps, watch, layer, waits, onEscape });
      const handle = paintKind(active, ui);
      return {
        ...handle,
        stop: () => {
          try {
            handle.stop();
          } finally {
            stop();
          }
        },
      };
    },
    pageChanged: watch.changed,
    pageClosed: () => {
      for (const wait of waits) wait.reportProblem();
    },
  };
};

registerPart('renderer', createRenderer);
