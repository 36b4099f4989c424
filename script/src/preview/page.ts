import { conditionsOf } from '../engine/trigger.ts';
import { traits } from '../kinds/traits.ts';
import { find } from '../page/find.ts';
import type { PageElement, PageExperience, PageStep } from '../wire.ts';
import css from './preview.css';

/*
 * The page of the preview: a calm drawing of an application. The element of a step is usually not on this page, so the
 * step shows beside a stand-in that has the selector as its name.
 */

const NO_ELEMENT = 'No element yet';
const PAGE_NAME = 'Example page';

export interface PreviewPage {
  /** Returns the element where the step shows; null if it is at a position of the window. */
  findTarget(experience: PageExperience, step: PageStep): Element | null;
  /** Removes the elements that stand in for elements of the product. */
  clear(): void;
}

export function createPage(): PreviewPage {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
  const heading = create('h1', 'heading');
  heading.ariaLabel = PAGE_NAME;
  const places = create('div', 'places');
  document.body.append(
    create('header', 'top', create('b'), create('i'), create('i'), create('i'), create('s')),
    create(
      'div',
      'columns',
      create('nav', 'side', ...Array.from({ length: 7 }, () => create('i'))),
      create('main', 'content', heading, places, ...drawCards()),
    ),
  );
  for (const name of ['header', 'nav']) document.querySelector(name)?.setAttribute('aria-hidden', 'true');
  return {
    findTarget: (experience, step) => {
      const { elements = [] } = step;
      // Publishing requires an element for these kinds.
      const { place } = traits[experience.kind];
      if (!place && !conditionsOf(step).target) return null;
      const result = elements.length > 0 ? find(elements) : undefined;
      if (result && 'element' in result) return result.element;
      const isArea = (place ?? step.position_type) === 'inline';
      const standIn = create('div', isArea ? 'stand-in area' : 'stand-in', create('code', '', nameOf(elements[0])));
      places.append(standIn);
      return standIn;
    },
    clear: () => places.replaceChildren(),
  };
}

function nameOf({ selector, text, shadow_selector }: PageElement = {}): string {
  const name = [selector, shadow_selector, text && `“${text}”`].filter((part) => part).join(' ');
  return name || NO_ELEMENT;
}

function drawCards(): HTMLElement[] {
  const numbers = Array.from({ length: 3 }, () => create('div', 'card', create('i'), create('b')));
  const bars = Array.from({ length: 12 }, () => create('u'));
  const rows = Array.from({ length: 5 }, () =>
    create('div', 'row', create('s'), create('i'), create('i'), create('b')),
  );
  const cards = [
    create('div', 'cards', ...numbers),
    create('div', 'card chart', ...bars),
    create('div', 'card', ...rows),
  ];
  for (const card of cards) card.setAttribute('aria-hidden', 'true');
  return cards;
}

function create(name: string, className = '', ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.append(...content);
  return element;
}
