import type { Cleanup, Ui } from '../kind.ts';
import { findAll, isVisible, SHADOW_SEPARATOR } from '../page/find.ts';
import { runAll } from '../page/run-all.ts';
import type { PageElement } from '../wire.ts';
import type { Action, Bar } from './bar.ts';
import { createHighlight } from './highlight.ts';
import type { Candidate } from './selectors/suggest.ts';
import { textsOf } from './selectors/texts.ts';

interface RefineOptions {
  /** The initial text of the field. */
  selector: string;
  /** The element that was picked last, which is chosen among the matches. */
  element?: Element | undefined;
  onUse(element: Element, own: Candidate[]): void;
  others: readonly Action[];
}

/** More outlines than this would hide the page. */
const MAX_OUTLINES = 30;
/** The score of a selector that an administrator has written. It is high, because administrators know the page. */
const OWN_SCORE = 60;

/** Lets the administrator write the selector: all matches are outlined meanwhile, and one of them is chosen. */
export function refine(ui: Ui, bar: Bar, { selector, element, onUse, others }: RefineOptions): Cleanup {
  let matches: Element[] = [];
  let index = 0;
  let cleanups: Cleanup[] = [];
  const input = ui.create('input', {
    ...{ 'aria-label': 'CSS selector', autocomplete: 'off', spellcheck: 'false', 'data-focus': '' },
    ...{ placeholder: '.toolbar button' },
  });
  input.value = selector;
  const form = ui.create('form', { class: 'pick-code' }, input);
  const parsed = (): PageElement => {
    const [outer = '', ...inner] = input.value.trim().split(SHADOW_SEPARATOR);
    return { selector: outer, ...(inner[0] && { shadow_selector: inner.join(SHADOW_SEPARATOR) }) };
  };
  const unmark = () => runAll(cleanups);
  const mark = () => {
    unmark();
    const shown = new Set([...matches.slice(0, MAX_OUTLINES), ...matches.slice(index, index + 1)]);
    cleanups = [...shown].map((match) => {
      const highlight = createHighlight(ui, () => highlight.hide(), match === matches[index] ? 'chosen' : 'other');
      highlight.show(match);
      return highlight.hide;
    });
  };
  const say = (problem?: string) => {
    const count = matches.length;
    bar.setText(problem ?? (count > 1 ? `Match ${index + 1} of ${count}` : '1 match'));
  };
  const search = () => {
    const { elements, reason } = input.value.trim() ? findAll(parsed()) : { elements: [], reason: 'not_found' };
    matches = elements.filter(isVisible);
    index = Math.max(0, element ? matches.indexOf(element) : 0);
    mark();
    say(matches[0] ? undefined : reason === 'bad_selector' ? 'This is no CSS selector yet' : 'Nothing matches');
  };
  const go = (by: number) => {
    if (!matches[0]) return;
    index = (index + by + matches.length) % matches.length;
    const match = matches[index];
    if (match) ui.scrollIntoView(match);
    mark();
    say();
    ui.announce(`Match ${index + 1} of ${matches.length}`);
  };
  const use = () => {
    const match = matches[index];
    if (match) onUse(match, describe(match, parsed()));
    else input.focus();
  };
  ui.on(input, 'input', search);
  ui.on(form, 'submit', (event) => {
    event.preventDefault();
    use();
  });
  bar.show({
    ...{ title: 'Which element is meant?', content: [form] },
    note: 'The page shows what matches while you write. For a shadow root inside of another one, write >>> between the selectors.',
    actions: [
      { label: 'Use this element', isFirst: true, onClick: use },
      { label: 'Previous', onClick: () => go(-1) },
      { label: 'Next', onClick: () => go(1) },
      ...others,
    ],
  });
  search();
  input.focus();
  return unmark;
}

/**
 * Returns the written selector, if it describes only this element, either alone or together with the element's text.
 */
function describe(element: Element, written: PageElement): Candidate[] {
  for (const own of [written, ...textsOf(element).map((text) => ({ ...written, text }))]) {
    const { elements } = findAll(own);
    const visible = elements.filter(isVisible);
    if (visible.length !== 1 || visible[0] !== element) continue;
    const kind = /:(nth|first|last|only)-/.test(wholeOf(own)) ? 'positional' : 'text' in own ? 'text' : 'token';
    return [{ ...own, score: OWN_SCORE, kind, matches: elements.length }];
  }
  return [];
}

const wholeOf = ({ selector = '', shadow_selector = '' }: PageElement) => selector + shadow_selector;
