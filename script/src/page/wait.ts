import { needsOf } from '../engine/trigger.ts';
import type { Cleanup, PageStep, PageUrl, Why } from '../kind.ts';
import { allOf, documents, find, isCovered, isVisible } from './find.ts';
import { listen } from './navigate.ts';
import type { Watch } from './watch.ts';

export interface Waiting {
  watch: Watch;
  isHere(urls: readonly PageUrl[] | undefined): boolean;
  found(target: Element | null): void;
  lost(why: Why): void;
  /** Triggers, elements and delays do not matter. */
  skip?: boolean;
  /** Nor does the address. */
  skipUrls?: boolean;
  /** Whether it may show now; where not, `again` is called when it may. */
  ask(again: () => void): boolean;
  /** The function of a `custom_trigger`. */
  toFunction(code: string): ((element: Element | null) => unknown) | undefined;
  /** It could not show, and why: told at most once. */
  missed(why: Why): void;
}

/** Shorter, and the page had no time to build itself. */
const PATIENCE = 1000;
const moves = 'pointermove,pointerdown,keydown,wheel,scroll';
const eventTypes = { click: 'click', hover: 'pointerover,focusin', input: 'input' };

/** Waits until a step may show, and tells when it no longer may. */
export function waitForStep(step: PageStep, waiting: Waiting): Cleanup & { miss(): void } {
  const { watch, skip } = waiting;
  const { elements = [], quantifier_urls } = step;
  const needs = needsOf(step);
  const agrees = needs.code ? waiting.toFunction(needs.code) : () => true;
  const begun = performance.now();
  let target: Element | null = null;
  let shows = false;
  let fired = !!skip;
  let stopped = false;
  let disarm: Cleanup | undefined;
  let hearFrames: (() => void) | undefined;
  let why: Why | undefined;

  const look = (): Element | null | Why | 'present' => {
    if (!waiting.skipUrls && !waiting.isHere(quantifier_urls)) return 'url';
    // Beside a modal dialog of the page nothing can be used: only what is at an element in it goes into it.
    if (!needs.target && document.querySelector('dialog:modal')) return 'covered';
    if (shows && !needs.target) return target;
    if (needs.event && !skip) {
      if (!fired || !needs.target) return null;
      if (target?.isConnected && isVisible(target)) return isCovered(target) ? 'covered' : target;
    }
    if (!needs.element && !needs.noElement) return needs.event && !skip ? 'not_found' : null;
    const found = find(elements, watch.look);
    if (needs.noElement) return 'element' in found && !skip ? 'present' : null;
    if ('why' in found) return skip && !shows ? null : found.why;
    return !needs.target ? null : isCovered(found.element) ? 'covered' : found.element;
  };
  const check = () => {
    if (stopped) return;
    const now = look();
    if (typeof now === 'string') {
      if (now === 'url') miss();
      else if (now !== 'present') why = now;
      if (!fired) disarm?.();
      if (shows && now !== 'present') {
        shows = false;
        waiting.lost(now);
      }
      return;
    }
    why = undefined;
    if (shows) {
      if (now === target) return;
      waiting.lost('not_found');
    } else {
      if (!fired) return arm();
      if (document.hidden || needs.never || !agrees?.(now) || !waiting.ask(check) || stopped) return;
    }
    shows = true;
    target = now;
    waiting.found(target);
  };
  const fire = () => {
    disarm?.();
    fired = true;
    check();
  };
  const arm = () => {
    // A frame may have come since.
    if (disarm) return hearFrames?.();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const undo: Cleanup[] = [() => clearTimeout(timer)];
    disarm = () => {
      disarm = hearFrames = undefined;
      for (const one of undo) one();
    };
    const later = (pause: number) => {
      clearTimeout(timer);
      timer = setTimeout(fire, pause);
    };
    const hear = (types: string, handler: (event: Event) => void) => {
      const heard = new Set<Document>();
      hearFrames = () => {
        for (const one of documents(document)) {
          if (heard.has(one)) continue;
          heard.add(one);
          watch.look(one);
          for (const type of types.split(',')) undo.push(listen(one, type, handler, { capture: true, passive: true }));
        }
      };
      hearFrames();
    };
    const { idle, event, delay } = needs;
    if (idle !== undefined) {
      hear(moves, () => later(idle));
      later(idle);
    } else if (event)
      hear(eventTypes[event], (event) => {
        // Not by `instanceof`: a frame has classes of its own.
        const path = event.composedPath().filter((one): one is Element => (one as Node).nodeType === 1);
        const wanted = elements.flatMap((one) => allOf(one)[0]);
        const hit = elements.length > 0 ? path.find((one) => wanted.includes(one)) : path[0];
        if (!hit || path.some((one) => 'usher' in one)) return;
        target = hit;
        if (delay > 0) later(delay);
        else fire();
      });
    else if (delay > 0) later(delay);
    else fire();
  };
  const miss = () => {
    if (why && performance.now() - begun >= PATIENCE) waiting.missed(why);
    why = undefined;
  };
  const stopWatching = watch.add(check);
  const stop = () => {
    if (stopped) return;
    stopped = true;
    stopWatching();
    disarm?.();
    miss();
  };
  return Object.assign(stop, { miss });
}
