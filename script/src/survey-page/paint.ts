import type { BoxOptions, Cleanup, Paint, Ui } from '../kind.ts';
import type { PageStep } from '../wire.ts';
import css from './survey-page.css';

const nothing: Cleanup = () => {};

/** Wraps the code of a survey, so that it is a part of the page: without waiting, closing or snoozing. */
export function createPagePaint(paintSurvey: Paint, main: HTMLElement, score: string | null): Paint {
  return (active, ui) => {
    const { openBox, walkThrough } = ui;
    let isFirst = true;
    Object.assign(ui, {
      waitFor: (_, { onFound }) => {
        onFound(null);
        return nothing;
      },
      runCode: nothing,
      openBox: (step, _, { close: __, ...options }) => {
        const content = choose(ui, step, options, score);
        const box = openBox(step, main, { ...options, ...content, inline: 'beforeend' });
        if (isFirst) document.title = ui.toPlainText(step.title) || document.title;
        // A box of a page does not take the focus. After an answer, the reading goes on with the next question.
        else box.element.focus();
        if (content) score = null;
        isFirst = false;
        return box;
      },
      // The thanks stay.
      walkThrough: (options) => {
        const { onPainted } = options;
        const later = () => nothing;
        return walkThrough({
          ...options,
          onPainted: (step, walk, box) => onPainted?.(step, { ...walk, later }, box),
        });
      },
    } satisfies Partial<Ui>);
    ui.addStyle(css);
    return paintSurvey(active, ui);
  };
}

/** Marks the score of the address on the first scale. It is an answer only when somebody presses the button. */
function choose(
  ui: Ui,
  { question, buttons }: PageStep,
  { content = [], footer = [] }: BoxOptions,
  score: string | null,
): BoxOptions | undefined {
  if (!score || !/^\d+$/.test(score)) return undefined;
  const isOf = (radio: Element) => Number.parseInt(radio.ariaLabel ?? '', 10) === Number(score);
  const radios = content.flatMap((node) => (node instanceof Element ? [...node.querySelectorAll('[role=radio]')] : []));
  const chosen = radios.find(isOf) as HTMLElement | undefined;
  if (!chosen) return undefined;
  // With buttons of its own, a question is sent by them, and a click only chooses.
  if (question && buttons) {
    chosen.click();
    return {};
  }
  for (const radio of radios as HTMLElement[]) radio.tabIndex = radio === chosen ? 0 : -1;
  chosen.classList.add('on');
  chosen.ariaChecked = 'true';
  const send = ui.button('act first', 'submit', () => chosen.click());
  return { footer: [...footer, ui.create('div', { class: 'acts' }, send)] };
}
