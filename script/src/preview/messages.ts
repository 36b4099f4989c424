import type { PageSketch } from '../../../domain/src/picks/page-sketch.ts';
import type { EndState, PageExperience, PageTheme } from '../wire.ts';

/*
 * What the dashboard and the document of the preview send to each other with `postMessage`. Names are in lower case, since the build
 * makes others shorter.
 */

/**
 * `edit`: a click on a text reports its path. `try`: everything works as on the page of a user. `picture`: nothing can be done.
 */
export type PreviewMode = 'edit' | 'try' | 'picture';

/** What to paint. It replaces what was painted before. */
export interface PreviewRequest {
  usher: 'preview';
  /** The Experience, as in the response of a visit. */
  experience: PageExperience;
  /** The index of the step that shows. A launcher has none. */
  step: number;
  mode: PreviewMode;
  scheme: 'light' | 'dark';
  /** The direction of the page. */
  direction: 'ltr' | 'rtl';
  /** Whether nothing moves, as for users who want less motion. */
  still: boolean;
  /** The texts of the user interface, as in the response of a visit. They are English if it is missing. */
  labels?: Record<string, string>;
  /** The theme, as in the response of a visit. */
  theme?: PageTheme;
  /** The page on which the element of the step was picked. An example page shows if it is missing. */
  sketch?: PageSketch;
}

/** Which text is being edited: it is marked, and nothing else changes. Null for none. */
export interface PreviewMark {
  usher: 'preview';
  edited: string | null;
}

export interface PreviewRect {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type PreviewEvent =
  /** The document is ready to paint. */
  | { usher: 'preview'; event: 'ready' }
  /** What is painted, without the page around it; null if nothing is. `overflow`: the paths of texts that do not fit. */
  | { usher: 'preview'; event: 'painted'; step: number; box: PreviewRect | null; overflow: string[] }
  /** A button has led to another step. */
  | { usher: 'preview'; event: 'step'; step: number }
  /** A text was clicked, such as `steps.1.buttons.0.text`. The rectangle of its element is in the coordinates of the frame. */
  | { usher: 'preview'; event: 'text'; path: string; box: PreviewRect }
  | { usher: 'preview'; event: 'end'; state: EndState };
