import type { RichText } from '@usher/domain';
import { isAddress } from '../../domain/src/merge.ts';
import type { Config } from './config.ts';
import type { Extras } from './extras.ts';
import type {
  Cleanup,
  Page,
  PageElement,
  PageExperience,
  PageUrl,
  Paint,
  Painted,
  Report,
  Shown,
  Word,
} from './kind.ts';
import type { ToFunction } from './page/code.ts';
import { find } from './page/find.ts';
import { createEscape, focusIn } from './page/focus.ts';
import { createLayer } from './page/layer.ts';
import { listen } from './page/navigate.ts';
import { follow, place, reveal } from './page/place.ts';
import { style } from './page/style.ts';
import { toNodes, words } from './page/text.ts';
import { waitForStep } from './page/wait.ts';
import { createWatch } from './page/watch.ts';

/* All that kinds paint with. It is loaded with the first of them. */

/** What is shown, as the core knows it. */
export interface Running {
  experience: PageExperience;
  options?: unknown;
  /** Where it needs them. */
  extras?: Extras | undefined;
  /** Where it has code, and the account allows that. */
  toFunction?: ToFunction | undefined;
  startAt?: string | undefined;
  /** Of the step it starts with. */
  skipTriggers?: boolean | undefined;
  skipUrls?: boolean | undefined;
  /** Whether a step of it is there to be seen. */
  isSeen?: boolean;
}

/** What the core does for the stage. */
export interface Backstage {
  config: Config;
  isHere(urls: readonly PageUrl[] | undefined): boolean;
  ask(one: Running, again: () => void): boolean;
  report(one: Running, item: Partial<Report> & { problem?: { reason: string } }): void;
  at(one: Running, stepId: string): void;
  end(one: Running, state: 'completed' | 'exited' | 'snoozed', item?: Partial<Report>): void;
  show(id: string, from: Pick<Report, 'group_kind' | 'group_id'>): void;
  track(name: string, properties?: Record<string, unknown>): void;
  /** Asks the server again what is to show, after all that was reported. */
  visit(): void;
}

export interface Stage {
  paint(one: Running, paint: Paint): Painted;
  /** The page has another address. */
  changed(): void;
  /** The page is going: what still waits has not been shown. */
  leave(): void;
}

const english: Record<Word, string> = {
  ...{ close: 'Close', next: 'Next', back: 'Back', done: 'Done', skip: 'Skip', snooze: 'Remind me later' },
  ...{ submit: 'Send', open: 'Open', completed: 'Completed' },
  ...{ progress: 'Step {0} of {1}', more: 'More', choose: 'Choose…' },
};

function createStage(back: Backstage): Stage {
  const watch = createWatch();
  const layer = createLayer(style);
  const misses = new Set<() => void>();
  const onEscape = createEscape(() => {
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
    return !!dialog && !dialog.contains(layer.root().host);
  });

  const paint = (one: Running, paintKind: Paint): Painted => {
    const { experience, options, extras } = one;
    const filled = (text: RichText = []) => extras?.text(text, options) ?? text;
    const undo = new Set<Cleanup>();
    /** Ends with the Shown, or before. */
    const kept = (stop: Cleanup): Cleanup => {
      const once = () => {
        if (undo.delete(once)) stop();
      };
      undo.add(once);
      return once;
    };

    const go: Shown['go'] = (address, newWindow) => {
      const url = extras ? extras.address(address, options) : address;
      if (typeof url !== 'string' || !isAddress(url, 'href')) return;
      if (newWindow) open(url, '_blank', 'noopener');
      else location.assign(url);
    };
    const toFunction: ToFunction = (script) => one.toFunction?.(script);
    const code: Shown['code'] = (script) => void toFunction(script)?.(null);
    const show: Shown['show'] = (id, from = { group_kind: 'campaign', group_id: experience.id }) => back.show(id, from);
    const shown: Shown = {
      experience,
      ...(one.startAt !== undefined && { startAt: one.startAt }),
      report: (item) => back.report(one, item),
      at: (stepId) => back.at(one, stepId),
      end: (state, item) => back.end(one, state, item),
      ...{ go, code, show },
      run: (button) => {
        const actions = button.additional_actions ?? [];
        const has = (name: (typeof actions)[number]) => actions.includes(name);
        const { action_element, action_script, action_campaign_id, action_url } = button;
        // The server sets what the button says when it hears of the click; then other things may show.
        if (has('property') || has('tag_user')) back.visit();
        if (has('code') && action_script) code(action_script);
        const found = has('element_click') && action_element && find([action_element]);
        if (found && 'element' in found) (found.element as HTMLElement).click();
        if ((has('tour') || has('survey')) && action_campaign_id) show(action_campaign_id);
        // Last: it may leave the page.
        if (has('cta_url') && action_url) go(action_url, button.action_new_window);
      },
    };

    const page: Page = {
      root: layer.root,
      style: layer.style,
      inline: (target, where) => {
        const { root, remove } = layer.inline(target, where);
        return { root, remove: kept(remove) };
      },
      waitFor: (step, found, lost) => {
        const isFirst = step.id === (one.startAt ?? experience.steps?.[0]?.id);
        const stop = waitForStep(step, {
          ...{ watch, toFunction, isHere: back.isHere },
          found: (target) => {
            one.isSeen = true;
            found(target);
          },
          skip: isFirst && !!one.skipTriggers,
          skipUrls: isFirst && !!one.skipUrls,
          lost: (why) => {
            one.isSeen = false;
            lost?.(why);
            layer.settle();
          },
          ask: (again) => back.ask(one, again),
          missed: (reason) => {
            // Where its coming is the trigger, that it does not come is no problem, unless a tour stands still for it.
            if (isFirst && step.step_trigger === 'element_match') return;
            back.report(one, { ...(step.id && { step_id: step.id }), problem: { reason }, href: location.href });
          },
        });
        misses.add(stop.miss);
        return kept(() => {
          misses.delete(stop.miss);
          one.isSeen = false;
          stop();
          layer.settle();
        });
      },
      waitForElement: (element: PageElement, found, lost) => {
        const step = { id: '', elements: [element], position_type: 'snap_to_element' as const };
        return page.waitFor(step, (target) => target && found(target), lost);
      },
      place: (box, target, step) => {
        layer.over(target);
        return kept(place(box, target, step, watch));
      },
      follow: (target, moved) => kept(follow(target, watch, moved)),
      reveal,
      write: (text) => toNodes(filled(text)),
      words: (text) => words(filled(text)),
      make: (name, attributes = {}, ...content) => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.append(...content);
        return element;
      },
      on: (target, type, handler, given) => kept(listen(target, type, handler, given)),
      focus: (box, trap) => kept(focusIn(box, trap)),
      escape: (run) => kept(onEscape(run)),
      say: layer.say,
      t: (word, ...values) =>
        (back.config.labels?.[word] ?? english[word]).replace(/\{(\d)\}/g, (_, at) => `${values[at]}`),
    };

    const painted = paintKind(shown, page);
    const { stop, ...rest } = typeof painted === 'function' ? { stop: painted } : painted;
    return {
      ...rest,
      stop: () => {
        try {
          stop();
        } finally {
          for (const one of undo) one();
          layer.settle();
        }
      },
    };
  };
  return {
    paint,
    changed: watch.changed,
    leave: () => {
      for (const miss of misses) miss();
    },
  };
}

(window as unknown as { usher: { kind(name: string, part: unknown): void } }).usher.kind('stage', createStage);
