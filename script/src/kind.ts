import type { Attribute, RichText } from '@usher/domain';
import type { ActiveExperience } from './active-experience.ts';
import type { keepInline } from './page/keep-inline.ts';
import type { createTrigger } from './page/wait-for-trigger.ts';
import type { EndState, PageButton, PageExperience, PageStep, Report } from './wire.ts';

/*
 * What the renderer and the kinds know about each other. A kind is a script file of its own, loaded when the first
 * Experience of that kind starts. It imports hardly more than types: the renderer passes it the functions to paint
 * with, so that no code is in two files.
 */

/** Paints an Experience. `stop` of the returned handle removes everything again. */
export type Paint = (active: ActiveExperience, ui: Ui) => Handle;

/** Undoes what the call has done. It may be called twice. */
export type Cleanup = () => void;

/** Controls a painted Experience. `usher.show(id, {open: true})` opens a launcher. */
export interface Handle {
  stop: Cleanup;
  open?(): void;
  /** Does what the close button does. */
  close?(): void;
  /** Moves by a number of steps. */
  go?(by: number): void;
  /** Paints again what depends on `completed` of the items, which the next visit may have changed. */
  update?(next?: PageExperience): void;
}

/** Why the target of a step is not there, or why the step cannot show. */
export type Reason = 'not_found' | 'text_differs' | 'hidden' | 'no_shadow_root' | 'bad_selector' | 'covered' | 'url';

export type LabelName =
  | ('close' | 'next' | 'back' | 'done' | 'skip' | 'snooze' | 'submit' | 'open' | 'completed')
  | ('progress' | 'more' | 'choose' | 'return' | 'faces' | 'play' | 'few' | 'short' | 'language');

/** The functions that a kind paints with. Everything that they start ends with the Experience. */
export interface Ui {
  /** The shadow root that all Experiences share, in the top layer, with the style of style.css and of each kind. */
  root(): ShadowRoot;
  /** The class of the theme for each outermost element, with a space before it. Empty without a theme. */
  theme: string;
  /** Adds the style sheet of a kind. Adding it again has no effect. */
  addStyle(css: string): void;
  /** Creates a shadow root with the same styles inside of the page, for embeds and for icons beside elements. */
  insertInline(target: Element, where: InsertPosition): { root: ShadowRoot; remove: Cleanup };
  /**
   * Waits until a step may show: for its URL, its triggers and delays, and its element. A tour or survey also waits for the slot and
   * the claim of its Delivery.
   */
  waitFor(step: PageStep, options: WaitOptions): Cleanup;
  /** Shows the texts of a step in a box: beside its target, at its position in the window, or inside of the page. */
  openBox(step: PageStep, target: Element | null, options: BoxOptions): Box;
  /** Missing when the Experience has no picture and no video. */
  media?: PaintMedia | undefined;
  /** Missing when the Experience needs nothing of it. */
  tourExtras?: TourExtras | undefined;
  /** Leads the user through the steps of the Experience, one box at a time. */
  walkThrough(options: WalkOptions): Handle;
  /**
   * Puts a box beside its target and keeps it there when the page scrolls, resizes or moves. It sets `transform`, the
   * attribute `data-side` (the side of the target) and `--arrow` (the distance from the left or top edge of the box to the center
   * of the target). Without a target it sets `data-at` to the screen position, and the style sheet does the rest.
   */
  place(
    box: HTMLElement,
    target: Element | null,
    step: Pick<PageStep, 'placement' | 'screen_position'>,
    /**
     * Is called with the position of the target, now and after each change; undefined while the target is scrolled out
     * of view. It returns true if it has moved the box itself.
     */
    onMove?: (rect: DOMRect | undefined) => unknown,
  ): Cleanup;
  /** Fades elements out and removes them. */
  remove(elements: HTMLElement[]): void;
  scrollIntoView(target: Element): void;
  /** Returns whether the user wants less motion. */
  isReduced(): boolean;
  /** Converts a text to DOM nodes, with the options of the Delivery filled in. */
  toNodes(text: RichText | undefined): Node[];
  toPlainText(text: RichText | undefined): string;
  /** Creates an element: `create('button', {class: 'primary', type: 'button'}, 'Next')`. */
  create<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes?: Record<string, string>,
    ...content: (Node | string)[]
  ): HTMLElementTagNameMap[Name];
  /** Creates a button. Its content is nodes, or the name of a label. */
  button(className: string, content: (Node | string)[] | LabelName, onClick: () => void): HTMLElement;
  /** The attributes of an element with texts of the Experience: their language and direction, if they are known. */
  language: Record<string, string>;
  /** Creates the element of a text with paragraphs. Each of them has its own direction. */
  body(text: RichText | undefined, attributes?: Record<string, string>): HTMLElement;
  /** Draws an icon of 24 by 24 from an SVG path, in the color of the text. */
  icon(path: string): SVGSVGElement;
  /** The name of a step for screen readers. */
  nameOf(step: PageStep): string;
  /** Adds an event listener. An error that the handler throws does not reach the page. */
  on(target: EventTarget, type: string, handler: (event: Event) => void, options?: AddEventListenerOptions): Cleanup;
  /** Moves the focus into a box, unless `take` is false; the cleanup moves it back. */
  focus(box: HTMLElement, take: boolean): Cleanup;
  /** Calls the handler on Escape, unless a dialog of the page is open above. */
  onEscape(handler: () => void): Cleanup;
  /** Returns a cleanup that runs once: when the caller wants, or when the Experience ends. */
  untilEnd(cleanup: Cleanup): Cleanup;
  /** Makes screen readers read a text aloud. */
  announce(text: string): Cleanup;
  /** The labels in English, where they are more than their name with a capital letter. A kind adds its own. */
  englishLabels: Partial<Record<LabelName, string>>;
  /**
   * Returns a text of the user interface in the language of the user; `label('progress', 2, 5)` is "Step 2 of 5", and
   * `label('language')` is the code of that language.
   */
  label(name: LabelName, ...values: (string | number)[]): string;
  /** Goes to an address that the author wrote, unless its scheme is not allowed. */
  openAddress(address: Attribute, newWindow?: boolean): void;
  /** Runs code that the author wrote, if the account and the page allow it. */
  runCode(code: string): void;
  /** Runs the `additional_actions` of a button. The kind itself handles `tour_action`. */
  runActions(button: PageButton): void;
}

/** Puts the picture or video of a step into its box, and reserves the places of pictures in its text. */
export type PaintMedia = (ui: Ui, step: PageStep, box: HTMLElement, main: HTMLElement) => void;

/**
 * Prepares the pictures and videos of an Experience. The server does not always know its own address, so the paths of its pictures have
 * none, and the address is put before them here.
 */
export type CreateMedia = (experience: PageExperience, baseUrl?: string) => PaintMedia;

/** What few tours need. See tour-extras.ts. */
export interface TourExtras {
  css: string;
  createTrigger: typeof createTrigger;
  keepInline: typeof keepInline;
  /** Shows a pulsing dot at the element of a step. `open` is called when the user clicks it. */
  showHotspot(active: ActiveExperience, ui: Ui, step: PageStep, open: () => void): Cleanup;
  /** Ends a step for one of its times. If there are several, the user chooses. */
  snooze(ui: Ui, step: PageStep, box: HTMLElement, end: (hours: number | undefined) => void): void;
}
export type CreateTourExtras = (experience: PageExperience) => TourExtras;

export type Response = NonNullable<Report['response']>;
/**
 * Reports the answer of the user and does what the button says: by default, the first button of the step. The answer is undefined
 * if the user skipped the question. `selected` is the element of the answer.
 */
export type Answer = (response: Response | undefined, button?: PageButton, selected?: HTMLElement) => void;

/** The numbers of a scale, and how they look. */
interface Scale {
  min: number;
  max: number;
  look?: 'emoji' | 'numbers' | 'stars';
}

/** What the survey draws presets with, and its questions too. */
export interface SurveyParts {
  drawScale(ui: Ui, step: PageStep, scale: Scale, choose: (value: string, button: HTMLElement) => void): HTMLElement[];
  /** Draws radio buttons with one tab stop. The arrow keys move between them. */
  drawRadios(ui: Ui, step: PageStep, className: string, buttons: HTMLElement[]): HTMLElement;
}

/** The questions of a survey, what was answered, and which way it takes. See questions.ts. */
export interface Questions {
  /** Returns the index of the next step, or of the one before. It is -1 before the first step, and past the last one at the end. */
  follow(index: number, by: number): number;
  /** Call it when a step shows. */
  moved(stepId: string): void;
  keepAnswer(ui: Ui, step: PageStep, response: Response): void;
  /** What the user has answered, for texts. Undefined without an answer. */
  answerTo(stepId: string): unknown;
  /** Draws what a step with a question has besides its texts. */
  draw(ui: Ui, walk: Walk, step: PageStep, parts: SurveyParts, answer: Answer): HTMLElement;
  /** Lets keys choose answers in a box. */
  listen(ui: Ui, box: HTMLElement): void;
  /** Call it when the survey has ended. */
  forget(): void;
}
/** Answers are remembered for the next page load if the ID of the user is given. */
export type CreateQuestions = (active: ActiveExperience, profileId?: unknown) => Questions;

export interface WaitOptions {
  /**
   * Is called when the step may show: immediately, later or never. The target is null when the step is not at an
   * element.
   */
  onFound(target: Element | null): void;
  /**
   * Is called when the target is gone, hidden or covered, or the user is on another URL, and again with each change of
   * the page while that is so. `onFound` may follow again.
   */
  onLost?(reason: Reason): void;
  /** Is called when the element of the step was missing for 5 seconds, and the step has not shown before. */
  onMissing?: (() => void) | undefined;
  /** Is called once, before the element is searched, on a page of the step. The step waits for the returned promise. */
  beforeStep?: (() => Promise<void> | undefined) | undefined;
  /** Whether the step does not need the slot, because it only offers to open something. */
  isPassive?: boolean;
  /** Whether the step goes inside of its element, which may have no size until then. */
  isInline?: boolean | undefined;
}

export interface BoxOptions {
  /** The content below the texts. */
  content?: Node[];
  footer?: Node[];
  close?: (() => void) | undefined;
  /** Where in the target the box goes, when it is a part of the page itself. The box of an inline step goes to its end. */
  inline?: InsertPosition;
  banner?: boolean;
  /** Whether the box takes the focus. The default depends on the step. */
  takeFocus?: boolean | undefined;
  /** The element that opened the box. A click outside of both closes the box. */
  opener?: Element;
  /** A `tip` has no close button. */
  className?: 'list' | 'tip';
  role?: string;
}

export interface Box {
  element: HTMLElement;
  stop: Cleanup;
}

export interface WalkOptions {
  /** Returns the content of a step besides its texts. */
  draw(step: PageStep, walk: Walk): BoxOptions;
  /** Whether it may begin as a hotspot. */
  canBeHotspot?: boolean;
  /** Whether all steps go inside of their elements. */
  isInline?: boolean;
  /** The state that the first step reports. */
  state: 'started' | 'displayed';
  /** Is called each time a step has been painted. */
  onPainted?(step: PageStep, walk: Walk, box: HTMLElement): void;
}

/** The way of a user through the steps of an Experience. */
export interface Walk {
  /** Moves by a number of steps. Past the last step, the Experience is completed. */
  go(by: number): void;
  end(state: EndState, snoozeHours?: number): void;
  /** Calls a function after a delay, unless the user has left the step. */
  later(run: () => void, delayMs: number): Cleanup;
  /** Reports a click on a button and does what the button says. A button that answers a question leads to the next step. */
  press(button: PageButton, isAnswer?: boolean): void;
  /** The progress, the dismiss button and the buttons of a step. */
  footer(step: PageStep): Node[];
  /** The button that snoozes or dismisses the step; empty if the step has none. */
  dismissButton(step: PageStep): Node[];
  /** The buttons that the author wrote. The button that leads on is the primary one, and comes last. `onSubmit` replaces its click. */
  stepButtons(buttons: PageButton[] | undefined, onSubmit?: (button: PageButton) => void): HTMLElement[];
  /** Puts buttons into a row; empty if there are none. */
  buttonRow(buttons: Node[]): Node[];
}
