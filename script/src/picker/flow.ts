import type { LookPart } from '../../../domain/src/themes/look-parts.ts';
import type { Cleanup, Ui } from '../kind.ts';
import { safely } from '../page/safely.ts';
import type { Action, Bar } from './bar.ts';
import type { createExchange, Exchange, Failure } from './exchange.ts';
import type { Picking } from './pick.ts';
import type { TryDependencies } from './try.ts';

/** What the picker needs from the core. */
export type PickerDependencies = Parameters<typeof createExchange>[0] & TryDependencies;

/** The state that the screens of one pick share. Each screen is a function that receives it. */
export interface Flow {
  readonly ui: Ui;
  readonly deps: PickerDependencies;
  readonly bar: Bar;
  readonly exchange: Exchange;
  /** Ends the pick and removes everything. */
  readonly end: () => void;
  readonly endAction: Action;
  /** Loads the pick again, and shows the screen for its purpose. */
  readonly reconnect: () => void;
  isClosed?: boolean;
  picking?: Picking | undefined;
  /** Removes the outline of an element that waits for a decision. */
  unmark?: Cleanup;
  stopTrying?: Cleanup;
  /** The elements that a theme was taken from, on this page. */
  taken?: Map<LookPart, Element>;
}

/** Starts the Experiences of the page, which were held back because they would have been in the way. */
export function release({ experiences, visits }: PickerDependencies): void {
  if (!experiences.isHeld) return;
  experiences.isHeld = false;
  if (visits.current) experiences.apply(visits.current.response);
}

/** Shows an error, and offers to try again if that can help. */
export function fail({ ui, bar, deps, endAction }: Flow, { title, error, canRetry }: Failure, retry: () => void): void {
  if (!canRetry) release(deps);
  const shown = title ?? (canRetry ? 'Usher cannot be reached' : 'This pick is over');
  const again: Action = { label: 'Try again', onClick: retry, isFirst: true };
  bar.show({
    ...{ title: shown, text: error },
    actions: canRetry ? [again, endAction] : [{ ...endAction, label: 'Close' }],
  });
  ui.announce(`${shown}. ${error}`);
}

/** Runs a screen that waits for something. An unexpected error is shown in the bar, and does not reach the page. */
export function run(flow: Flow, screen: () => Promise<unknown>): void {
  screen().catch((error: unknown) => {
    console.debug('usher', error);
    const failure = { title: 'Something went wrong in this page', error: `${error}`, canRetry: true };
    if (!flow.isClosed) safely(() => fail(flow, failure, () => run(flow, screen)));
  });
}
