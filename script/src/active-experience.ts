import type { Extras } from './extras/create-extras.ts';
import type { Handle, PaintMedia, Questions, Reason, TourExtras } from './kind.ts';
import type { CompileCode } from './page/compile-code.ts';
import type { Store } from './page/store.ts';
import type { EndState, ExplicitRequest, PageDelivery, PageExperience, ReportItem } from './wire.ts';

/** An Experience that is on the page, or waits until it may show. The core creates it, the renderer paints it. */
export interface ActiveExperience {
  readonly experience: PageExperience;
  readonly delivery?: PageDelivery | undefined;
  /** Who asked for the Experience. Missing when it started automatically or by a Delivery. */
  readonly explicitRequest?: ExplicitRequest | undefined;
  /** The values for merge tags such as `{{delivery "name"}}`. */
  readonly options?: unknown;
  /** Whether the first step shows without its triggers, elements and delays. */
  readonly skipTriggers?: boolean | undefined;
  /** Whether the first step shows on any URL. */
  readonly skipUrls?: boolean | undefined;

  /** Remembers values for this tab. It is missing in the preview. */
  readonly store?: Store | undefined;
  /** The step to begin with. The default is the first step. Only tours and surveys have it. */
  startStepId?: string | undefined;
  /** The step that shows or waits, once there is one. */
  currentStepId?: string;
  /** The extras of the Experience; missing when it needs none. */
  extras?: Extras | undefined;
  /** Compiles code of the author; missing when the Experience has no code, or the account does not allow code. */
  compileCode?: CompileCode | undefined;
  /** Paints pictures and videos; missing when the Experience has none. */
  media?: PaintMedia | undefined;
  /** What few tours need; missing when the Experience needs nothing of it. */
  tourExtras?: TourExtras | undefined;
  /** The questions and answers of a survey; missing when it needs nothing of it. */
  questions?: Questions | undefined;
  /** Whether the user has clicked the hotspot, so that the Experience takes the slot from another one. */
  isWanted?: boolean;
  /** Whether the user has seen the Experience. */
  hasStarted: boolean;
  /** Whether a step of the Experience is on the screen. */
  isVisible: boolean;
  /** Why the step of the Experience cannot show at the moment. */
  reason?: Reason | 'pending' | undefined;
  /**
   * Whether the Experience has the slot, and its Delivery is claimed. It may lose the slot while its step cannot show.
   */
  hasSlot: boolean;
  /** Checks again whether the Experience can show, while it waits for the slot. */
  retry?: (() => void) | undefined;
  handle?: Handle;

  /**
   * Reports what the user sees and does, in batches. Tours and surveys report `{state: 'started', step_id}` for the first step
   * and `{step_id}` for each further one. Launchers and tooltips report `displayed` when their icon or target is on the page and
   * `started` when they are opened. Embeds report `displayed`. A click on a button is `{button_id, step_id}`.
   */
  report(item: ReportItem, onResponse?: (response: unknown) => void): void;
  /**
   * Runs the hooks of the page for a step. Undefined if there are none; otherwise it resolves when the script may
   * search the element of the step.
   */
  beforeStep(stepId: string, index: number): Promise<void> | undefined;
  /** Remembers the current step, also while it waits for its page, so that the next page load continues there. */
  saveStep(stepId: string): void;
  /** Returns whether the Experience may show now. If not, `retry` is called when the answer may have changed. */
  requestSlot(retry: () => void): boolean;
  /** Reports the end, removes what was painted, and gives the slot to the next Experience. */
  end(state: EndState, item?: ReportItem): void;
  /** Removes what was painted without a report, and gives the slot to the next Experience. */
  stop(): void;
  /** Shows another tour or survey, which takes the slot from this one. */
  show(id: string, request: ExplicitRequest): void;
}
