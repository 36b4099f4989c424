import type { PageSketch } from '../../../domain/src/picks/page-sketch.ts';
import { conditionsOf } from '../engine/trigger.ts';
import { traits } from '../kinds/traits.ts';
import { find } from '../page/find.ts';
import type { PageElement, PageExperience, PageStep } from '../wire.ts';
import css from './preview.css';
import { drawSketchPage } from './sketch-page.ts';

/*
 * The page of the preview: a calm drawing of an application. The element of a step is usually not on this page, so the
 * step shows beside a stand-in that has the selector as its name.
 */

const NO_ELEMENT = 'No element yet';
const PAGE_NAME = 'Example page';

export interface PreviewPage {
  /** Shows the sketch of a page for a step, instead of the example page. Undefined: shows the example page. */
  showSketch(sketch: PageSketch | undefined, stepId: string | undefined): void;
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
  let sketched: ReturnType<typeof drawSketchPage>;
  let sketchedStep: string | undefined;
  const hideSketch = () => {
    sketched?.page.remove();
    sketched = undefined;
  };
  return {
    showSketch: (sketch, stepId) => {
      hideSketch();
      sketchedStep = stepId;
      sketched = sketch && drawSketchPage(sketch);
      if (sketched) document.body.append(sketched.page);
    },
    findTarget: (experience, step) => {
      const { elements = [] } = step;
      // Publishing requires an element for these kinds.
      const { place } = traits[experience.kind];
      if (!place && !conditionsOf(step).target) return null;
      // A box inside of the page would move the boxes of the sketch, and another step has another element.
      const isInline = (place ?? step.position_type) === 'inline';
      if (sketched && !isInline && step.id === sketchedStep) return sketched.target;
      hideSketch();
      const result = elements.length > 0 ? find(elements) : undefined;
      if (result && 'element' in result) return result.element;
      const standIn = create('div', isInline ? 'stand-in area' : 'stand-in', create('code', '', nameOf(elements[0])));
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
