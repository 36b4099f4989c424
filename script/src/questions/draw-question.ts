import type { Answer, LabelName, Response, SurveyParts, Ui, Walk } from '../kind.ts';
import type { PageButton, PageStep } from '../wire.ts';
import { drawChoices } from './draw-choices.ts';
import { drawConsent, drawNumbers } from './draw-marks.ts';
import { drawWritten } from './draw-written.ts';

export type PageQuestion = NonNullable<PageStep['question']>;

/** What the user answers with. */
export interface AnswerField {
  content: HTMLElement[];
  /** The element that an error belongs to. */
  control: HTMLElement;
  /** Returns the element that gets the focus when the answer is wrong. The default is `control`. */
  findWrong?(): HTMLElement | undefined;
  /** Returns the answer; a text that says what is wrong with it; or undefined without an answer. */
  read(): Response | string | undefined;
}

/** What a kind of question is drawn with. */
export interface FieldOptions {
  step: PageStep;
  question: PageQuestion;
  /** The last answer of the user. */
  given: Response | undefined;
  parts: SurveyParts;
  /** Call it when the answer changes. */
  onChange(): void;
  /** Call it when the user has chosen one of several answers. It leads to the next step, unless the step has buttons of its own. */
  choose(response: Response, button: HTMLElement): void;
}

interface QuestionDrawing extends Pick<FieldOptions, 'question' | 'given' | 'parts'> {
  answer: Answer;
  hasBack: boolean;
  isLast: boolean;
}

/** Draws a question as a form. */
export function drawQuestion(ui: Ui, walk: Walk, step: PageStep, drawing: QuestionDrawing): HTMLFormElement {
  const { question, given, parts, answer, hasBack, isLast } = drawing;
  const { required, error_text, other_text } = question;
  const error = ui.create('div', { class: 'error', id: `error-${step.id}`, role: 'alert' });
  const onChange = () => {
    error.replaceChildren();
    field.control.removeAttribute('aria-describedby');
    field.control.removeAttribute('aria-invalid');
  };
  const choose: FieldOptions['choose'] = (response, button) => step.buttons || answer(response, undefined, button);
  const field = drawField(ui, { step, question, given, parts, onChange, choose });
  const showError = (problem: string) => {
    // Without a text of the author, it is one of the browser.
    const text = error_text
      ? ui.create('span', {}, ...ui.toNodes(error_text))
      : ui.create('span', { lang: navigator.language }, problem);
    error.replaceChildren(text);
    field.control.setAttribute('aria-describedby', error.id);
    // A group of checkboxes cannot be invalid.
    if (field.control.role !== 'group') field.control.ariaInvalid = 'true';
    (field.findWrong?.() ?? field.control).focus();
  };
  /** The button of the author that was pressed. */
  let pressed: PageButton | undefined;
  const submit = () => {
    const read = field.read();
    if (typeof read === 'string') showError(read);
    else if (!read && required) showError(missingText(ui, question));
    else answer(read, pressed);
  };
  const drawSubmit = (className: string, label: LabelName) => [asSubmit(ui.button(className, label, () => {}))];
  const drawButtons = () => {
    const back = hasBack ? [ui.button('act', 'back', () => walk.go(-1))] : [];
    // After a choice that leads to the next step, nothing is left to press. A button skips the question, or keeps the answer.
    const isSkipped = isChosen(question) && !other_text && !given;
    if (isSkipped) return required ? back : [...back, ...drawSubmit('act', 'skip')];
    return [...back, ...drawSubmit('act first', isLast ? 'submit' : 'next')];
  };
  const drawOwnButtons = () => {
    const buttons = walk.stepButtons(step.buttons, (button) => {
      pressed = button;
    });
    asSubmit(buttons.at(-1));
    return buttons;
  };
  const buttons = step.buttons ? drawOwnButtons() : drawButtons();
  const foot = [...walk.dismissButton(step), ...walk.buttonRow(buttons)];
  const footer = foot[0] ? [ui.create('div', { class: 'foot' }, ...foot)] : [];
  const form = ui.create('form', { novalidate: '' }, ...field.content, error, ...footer);
  ui.on(form, 'input', onChange);
  ui.on(form, 'submit', (event) => {
    event.preventDefault();
    submit();
  });
  ui.on(form, 'keydown', (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === 'Enter' && (ctrlKey || metaKey)) form.querySelector<HTMLElement>('[type=submit]')?.click();
  });
  return form;
}

/** Makes a button one that submits the form, as Enter in a field does. */
function asSubmit<Of extends HTMLElement | undefined>(button: Of): Of {
  button?.setAttribute('type', 'submit');
  return button;
}

function drawField(ui: Ui, options: FieldOptions): AnswerField {
  switch (options.question.kind) {
    case 'single':
    case 'multiple':
      return drawChoices(ui, options);
    case 'stars':
    case 'scale':
      return drawNumbers(ui, options);
    case 'consent':
      return drawConsent(ui, options);
    default:
      return drawWritten(ui, options);
  }
}

/** Whether one click is the answer. */
function isChosen({ kind }: PageQuestion): boolean {
  return /single|stars|scale/.test(`${kind}`);
}

/** What the browser says when a field of this type has no answer. */
function missingText(ui: Ui, question: PageQuestion): string {
  const { kind } = question;
  const type = kind === 'consent' ? 'checkbox' : isChosen(question) || kind === 'multiple' ? 'radio' : 'text';
  return ui.create('input', { type, name: type, required: '' }).validationMessage;
}
