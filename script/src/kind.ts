import type { Attribute, RichText } from '@usher/domain';

/*
 * What the core and the kinds know of each other. A kind is a file of its own, loaded when the first of its kind is to
 * show; it registers itself with `usher.kind('tour', paint)`. Nothing here is code: a kind imports types alone from it.
 */

/** Undoes all that the call has done. It may be called twice. */
export type Cleanup = () => void;

export type Kind = 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed';
type ScreenPosition = 'center' | 'top' | 'bottom' | 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right';
export type Side = 'top' | 'right' | 'bottom' | 'left';

/* As a visit answers: a field that is missing is as in a new Experience. */

export interface PageElement {
  selector?: string;
  text?: string;
  shadow_selector?: string;
}

export interface PageUrl {
  url: string;
  match_type?: 'simple' | 'exact' | 'regex' | 'inverse_simple' | 'inverse_exact';
}

export interface PageButton {
  id: string;
  text?: RichText;
  tour_action?: 'next' | 'previous' | 'exit';
  additional_actions?: ('cta_url' | 'element_click' | 'tour' | 'survey' | 'property' | 'tag_user' | 'code')[];
  action_url?: Attribute;
  action_new_window?: boolean;
  action_campaign_id?: string;
  action_element?: PageElement;
  action_script?: string;
}

export interface PageStep {
  id: string;
  title?: RichText;
  body?: RichText;
  dismiss_text?: RichText;
  preset?: string;
  dropdown_items?: RichText[];
  label_low?: RichText;
  label_high?: RichText;
  placeholder?: RichText;
  other_text?: RichText;
  /** `page_load` unless given. */
  step_trigger?: 'page_load' | 'element_match' | 'element_not_match';
  secondary_trigger?: 'click' | 'hover' | 'time_on_page' | 'smart_delay' | 'input' | 'custom_trigger';
  trigger_delay?: number;
  custom_trigger?: string;
  /** `relative_to_screen` unless given. */
  position_type?: 'relative_to_screen' | 'snap_to_element' | 'snap_to_trigger' | 'inline';
  /** `center` unless given. */
  screen_position?: ScreenPosition;
  /** `auto` unless given. */
  placement?: 'auto' | Side;
  backdrop?: boolean;
  elements?: PageElement[];
  quantifier_urls?: PageUrl[];
  snooze_hours?: number;
  buttons?: PageButton[];
}

export interface PageItem {
  id: string;
  /** `url` unless given. */
  kind?: 'url' | 'tour' | 'survey' | 'script' | 'divider';
  title?: RichText;
  description?: RichText;
  url?: Attribute;
  campaign_id?: string;
  action_script?: string;
  /** Also set by the core when its tour or survey is completed on this page. */
  completed?: boolean;
}

export interface PageExperience {
  id: string;
  kind: Kind;
  automatic?: boolean;
  /** The step that was seen last, of one that the user is in the middle of. */
  step_id?: string;
  style?: 'auto' | 'manual' | 'banner' | 'card';
  steps?: PageStep[];
  /* Of a launcher. */
  items?: PageItem[];
  title?: RichText;
  description?: RichText;
  list_type?: 'default' | 'checklist';
  trigger_type?: 'icon' | 'tab' | 'element';
  trigger?: string;
  trigger_text?: RichText;
  /** `bottom_right` unless given. */
  screen_position?: ScreenPosition;
  position_type?: 'relative_to_screen' | 'snap_to_trigger';
  empty_state_content?: RichText;
  quantifier_urls?: PageUrl[];
}

type State = 'displayed' | 'started' | 'completed' | 'exited' | 'snoozed';

export interface Report {
  experience_id: string;
  state?: State;
  step_id?: string;
  button_id?: string;
  /** `index`: which item of a list, from 0, since its text may be a translation. */
  response?: { button_id?: string; value?: string; input?: string; index?: number };
  delivery_id?: string;
  href?: string;
  group_kind?: 'link' | 'api_js' | 'launcher' | 'campaign';
  group_id?: string;
  showing?: number;
  snooze_hours?: number;
}

/** One Experience that is being shown. */
export interface Shown {
  experience: PageExperience;
  /** The step to begin with; the first unless given. Of tours and surveys. */
  startAt?: string;
  /**
   * Reports what the user sees and does, in batches. `experience_id`, `showing` and what began it are added. Tours and
   * surveys report `{state: 'started', step_id}` when the first step is painted and `{step_id}` for each further one;
   * launchers and tooltips `displayed` when their icon or target is there and `started` when they are opened; embeds
   * `displayed`. A button that is clicked is `{button_id, step_id}`.
   */
  report(item: Partial<Report>): void;
  /** The user is at this step now, also while it waits for its page: a page load goes on from here. */
  at(stepId: string): void;
  /** Reports the end, stops what was painted, and lets the next one have its turn. */
  end(state: 'completed' | 'exited' | 'snoozed', item?: Partial<Report>): void;
  /** Does the `additional_actions` of a button. Its `tour_action` is the kind's own. */
  run(button: PageButton): void;
  /** Goes to an address of the author; one that is not allowed is nowhere. */
  go(address: Attribute, newWindow?: boolean): void;
  /** Runs code of the author, where the account and the page allow it. */
  code(script: string): void;
  /** Shows another tour or survey. This one ends by itself when it is one that takes turns. */
  show(id: string, from?: Pick<Report, 'group_kind' | 'group_id'>): void;
}

/** Why a target is not there. */
export type Why = 'not_found' | 'text_differs' | 'hidden' | 'no_shadow_root' | 'bad_selector' | 'covered' | 'url';

export type Word =
  | ('close' | 'next' | 'back' | 'done' | 'skip' | 'snooze' | 'submit' | 'open' | 'completed')
  | ('progress' | 'more' | 'choose');

/** What the core lends to a kind, for one Shown: all of it ends by itself when that ends. */
export interface Page {
  /** One for all, in the top layer, with the style of style.ts and of each kind. Append boxes, and remove them. */
  root(): ShadowRoot;
  /** Adds the style of a kind, once. */
  style(css: string): void;
  /** An open shadow root at a place of the page itself, with the same styles: for embeds and icons beside elements. */
  inline(target: Element, where: InsertPosition): { root: ShadowRoot; remove: Cleanup };
  /**
   * Waits until a step may show: its pages, its triggers and delays, its element. `found` may come at once, or never;
   * after `lost` (the target is gone, hidden or covered, or the user is on another page) it may come again. The target is
   * null where the step is not at an element. For a tour or survey `found` comes when it is its turn and its Delivery is
   * claimed.
   */
  waitFor(step: PageStep, found: (target: Element | null) => void, lost?: (why: Why) => void): Cleanup;
  /** As waitFor, of an element alone: for launchers at an element. */
  waitForElement(element: PageElement, found: (target: Element) => void, lost?: (why: Why) => void): Cleanup;
  /**
   * Puts a box beside its target and keeps it there: through scrolling, resizing and moves. It sets `left` and `top`,
   * the attribute `data-side` (the side of the target where it is: top, right, bottom, left) and `--arrow` (how far from the
   * left or top edge of the box the middle of the target is). Without a target it sets `data-at` (the screen_position), and
   * the style sheet does the rest. The box has `position: fixed` by the style sheet.
   */
  place(box: HTMLElement, target: Element | null, step: Pick<PageStep, 'placement' | 'screen_position'>): Cleanup;
  /** Tells where the target is in the window, at once and whenever that changes; undefined when it is out of sight. */
  follow(target: Element, moved: (rect: DOMRect | undefined) => void): Cleanup;
  /** Scrolls the target into sight, where it is not. */
  reveal(target: Element): void;
  /** A text as nodes, with the options of the Delivery. */
  write(text: RichText | undefined): Node[];
  /** The words of a text. */
  words(text: RichText | undefined): string;
  /** Makes an element: `make('button', {class: 'primary', type: 'button'}, 'Next')`. */
  make<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes?: Record<string, string>,
    ...content: (Node | string)[]
  ): HTMLElementTagNameMap[Name];
  /** Listens until this Shown ends; what the handler throws does not reach the page. */
  on(target: EventTarget, type: string, handler: (event: Event) => void, options?: AddEventListenerOptions): Cleanup;
  /** Moves the focus into a dialog; the cleanup gives it back to where it was. `trap` keeps Tab inside it. */
  focus(box: HTMLElement, trap?: boolean): Cleanup;
  /** Calls at Escape, unless something of the page above it takes that. */
  escape(run: () => void): Cleanup;
  /** Has screen readers say it. */
  say(text: string): void;
  /** Words of the interface in the language of the user; `t('progress', 2, 5)` is "Step 2 of 5". */
  t(word: Word, ...values: (string | number)[]): string;
}

/** What `usher.show(id, {open: true})` does to a launcher. */
export interface Painted {
  stop: Cleanup;
  open?(): void;
  close?(): void;
}

export type Paint = (shown: Shown, page: Page) => Cleanup | Painted;
