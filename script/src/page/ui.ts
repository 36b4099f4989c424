import type { RichText } from '@usher/domain';
import type { ActiveExperience } from '../active-experience.ts';
import type { Config } from '../config.ts';
import type { Cleanup, Ui } from '../kind.ts';
import type { PageUrl } from '../wire.ts';
import { createActions } from './actions.ts';
import { openBox } from './box.ts';
import { focusIn } from './focus.ts';
import { icon } from './icon.ts';
import { addListener } from './isolate.ts';
import type { Layer } from './layer.ts';
import { fadeOut, isReduced } from './motion.ts';
import { place, scrollIntoView } from './place.ts';
import { toNodes, toPlainText } from './text.ts';
import { type Wait, waitForStep } from './wait.ts';
import { walkThrough } from './walk.ts';
import type { Watch } from './watch.ts';

const MAX_NAME = 100;
/** What all Experiences on the page share. */
export interface UiDependencies {
  config: Config;
  watch: Watch;
  layer: Layer;
  /** The steps that wait. */
  waits: Set<Wait>;
  onEscape: Ui['onEscape'];
  /** Is called when a step could not be painted. */
  onError(error: unknown, stepId?: string): void;
  /**
   * Returns whether the current page matches the patterns; undefined while the module that reads them is being loaded.
   */
  matchesPage(urls: readonly PageUrl[] | undefined): boolean | undefined;
  scheduleVisit(): void;
}

/** Creates the functions to paint one Experience with. `stop` ends everything that was started with them. */
export function createUi(active: ActiveExperience, deps: UiDependencies): { ui: Ui; stop: Cleanup } {
  const { watch, layer, waits } = deps;
  const { language, direction, theme_id: themeId = 'default' } = active.experience;
  const theme = deps.config.themes?.[themeId];
  if (active.tourExtras) layer.addStyle(active.tourExtras.css);
  // The rules of the theme win, so they come last.
  if (theme) layer.addStyle(theme.css);
  const cleanups = new Set<Cleanup>();
  let isStopped = false;
  const untilEnd = (cleanup: Cleanup): Cleanup => {
    const runOnce = () => {
      if (cleanups.delete(runOnce)) cleanup();
    };
    cleanups.add(runOnce);
    // A hook of the page may have ended the Experience.
    if (isStopped) runOnce();
    return runOnce;
  };
  untilEnd(layer.followScheme());
  const resolve = (text: RichText = []) => active.extras?.resolveText(text, active) ?? text;

  const ui: Ui = {
    root: layer.root,
    theme: theme ? ` ${theme.class}` : '',
    addStyle: layer.addStyle,
    announce: (text) => untilEnd(layer.announce(ui.create('span', ui.language, text))),
    untilEnd,
    insertInline: (target, where) => {
      const root = layer.insertInline(target, where);
      const stopKeeping = active.tourExtras?.keepInline(root.host, target, where, watch);
      const remove = () => {
        stopKeeping?.();
        root.host.remove();
      };
      return { root, remove: untilEnd(remove) };
    },
    waitFor: (step, options) => {
      const wait = waitForStep(active, deps, step, options);
      waits.add(wait);
      return untilEnd(() => {
        waits.delete(wait);
        wait.stop();
      });
    },
    openBox: (step, target, options) => openBox(ui, step, target, options),
    media: active.media,
    tourExtras: active.tourExtras,
    walkThrough: (options) => walkThrough(active, ui, options),
    place: (box, target, step, onMove) => {
      const leave = layer.moveAbove(target);
      const stopPlacing = place(box, target, step, watch, onMove);
      return untilEnd(() => {
        stopPlacing();
        leave();
      });
    },
    remove: (elements) => fadeOut(elements, layer.cleanUp),
    scrollIntoView,
    isReduced,
    toNodes: (text) => toNodes(resolve(text)),
    toPlainText: (text) => toPlainText(resolve(text)),
    create: (name, attributes = {}, ...content) => {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      element.append(...content);
      return element;
    },
    button: (className, content, onClick) => {
      const isLabel = typeof content === 'string';
      const nodes = isLabel ? [ui.label(content)] : content;
      const button = ui.create('button', { class: className, type: 'button' }, ...nodes);
      if (isLabel) button.lang = ui.label('language');
      ui.on(button, 'click', onClick);
      return button;
    },
    language: language ? { lang: language, dir: direction ?? '' } : {},
    body: (text, attributes) => {
      const body = ui.create('div', { class: 'body', ...attributes }, ...ui.toNodes(text));
      for (const block of body.children) (block as HTMLElement).dir = 'auto';
      return body;
    },
    icon,
    nameOf: ({ title, body, placeholder }) =>
      ui.toPlainText(title) || ui.toPlainText(body).slice(0, MAX_NAME) || ui.toPlainText(placeholder),
    on: (target, type, handler, options) => {
      const cleanup = addListener(target, type, handler, options);
      // An element that is not in the page yet is one of the script. Its listeners end with it, and must not keep it in
      // memory.
      return (target as Node).isConnected === false ? cleanup : untilEnd(cleanup);
    },
    focus: (box, take) => untilEnd(focusIn(box, take)),
    onEscape: (handler) => untilEnd(deps.onEscape(handler)),
    englishLabels: { snooze: 'Remind me later', progress: 'Step {0} of {1}', return: 'Back to step', language: 'en' },
    label: (name, ...values) =>
      (
        deps.config.labels?.[name] ??
        ui.englishLabels[name] ??
        name.replace(/./, (first) => first.toUpperCase())
      ).replace(/\{(\d)\}/g, (_, index) => `${values[index]}`),
    ...createActions(active, deps),
  };
  return {
    ui,
    stop: () => {
      isStopped = true;
      for (const cleanup of cleanups) cleanup();
      layer.cleanUp();
    },
  };
}
