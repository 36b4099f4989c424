import type { ActiveExperience } from '../active-experience.ts';
import type { Answer, BoxOptions, Cleanup, Paint, SurveyParts, Ui, Walk } from '../kind.ts';
import { registerModule } from '../register-module.ts';
import type { PageStep } from '../wire.ts';
import css from './survey.css';

const face = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M9 9v1M15 9v1';
const mouths = [
  'M8 16.5q4-4 8 0',
  'M8.5 16q3.5-2 7 0',
  'M8.5 15.2h7',
  'M8.5 14.4q3.5 2.6 7 0',
  'M7.5 13.5q4.5 6.5 9 0z',
];
const chevron = 'M7 10l5 5l5-5';
const star = 'M12 3l2.8 5.7l6.2.9l-4.5 4.4l1.1 6.2l-5.6-3l-5.6 3l1.1-6.2L3 9.6l6.2-.9z';
const tick = 'M5 12.5l4.5 4.5L19 7.5';
const MAX_INPUT = '10000';
const englishLabels = {
  submit: 'Send',
  choose: 'Choose…',
  faces: 'Very unhappy,Unhappy,Neutral,Happy,Very happy',
  few: 'Choose at least {0}',
  short: 'Write at least {0} characters',
};

/** The time in which the user sees which answer is selected, before the next step shows. */
const SELECTED_MS = 200;
const THANK_YOU_SECONDS = 6;

const scales: Record<string, readonly [min: number, max: number] | undefined> = {
  survey_nps: [0, 10],
  survey_csat: [1, 5],
  survey_ces: [1, 7],
};

/** A survey asks one or a few questions. */
const paint: Paint = (active, ui) => {
  ui.addStyle(css);
  Object.assign(ui.englishLabels, englishLabels);
  return ui.walkThrough({
    state: 'started',
    draw: (step, walk) => draw(active, ui, walk, step),
    // A survey is completed when it thanks the user, even if the user leaves the page then.
    onPainted: (step, walk, box) => {
      if (step.question) active.questions?.listen(ui, box);
      if (step.preset !== 'thank_you') return;
      active.report({ state: 'completed', step_id: step.id });
      active.questions?.forget();
      thank(ui, walk, step, box);
    },
  });
};

function draw(active: ActiveExperience, ui: Ui, walk: Walk, step: PageStep): BoxOptions {
  const { questions } = active;
  questions?.moved(step.id);
  const { preset = '' } = step;
  const isAfterwards = preset === 'thank_you' || preset === 'response';
  const close = () => walk.end(isAfterwards ? 'completed' : 'exited');
  let isAnswered = false;
  const answer: Answer = (response, button = step.buttons?.[0], selected) => {
    if (isAnswered) return;
    isAnswered = true;
    if (response) {
      questions?.keepAnswer(ui, step, response);
      active.report({ step_id: step.id, response, href: location.href });
    }
    const leave = () => (button ? walk.press(button, true) : walk.go(1));
    selected?.classList.add('on');
    if (selected?.role) selected.ariaChecked = 'true';
    if (!selected || ui.isReduced()) leave();
    else walk.later(leave, SELECTED_MS);
  };
  const box = (content: Node[], footer: Node[]) => ({ content, footer, close });
  if (step.question && questions) return box([questions.draw(ui, walk, step, { drawScale, drawRadios }, answer)], []);
  const [min, max] = scales[preset] ?? [];
  if (max !== undefined) {
    const look = preset === 'survey_csat' ? 'emoji' : 'numbers';
    const choose = (value: string, button: HTMLElement) => answer({ value }, undefined, button);
    return box(drawScale(ui, step, { min: min ?? 0, max, look }, choose), walk.dismissButton(step));
  }
  switch (preset) {
    case 'survey_input':
    case 'response':
      return box([drawInput(ui, walk, step, answer)], []);
    case 'survey_dropdown':
      return box([drawDropdown(ui, walk, step, answer)], []);
    case 'thank_you':
      return box([], walk.buttonRow(walk.stepButtons(step.buttons)));
    case '':
      return box([], walk.footer(step));
    default:
      return box([drawButtons(ui, step, answer)], walk.dismissButton(step));
  }
}

function drawButtons(ui: Ui, step: PageStep, answer: Answer): HTMLElement {
  const buttons = (step.buttons ?? []).map((button) => {
    const element = ui.button('act', ui.toNodes(button.text), () => answer({ button_id: button.id }, button, element));
    return element;
  });
  return drawGroup(ui, step, 'answers', 'group', buttons);
}

function drawGroup(ui: Ui, step: PageStep, className: string, role: string, buttons: HTMLElement[]): HTMLElement {
  return ui.create('div', { class: className, role, 'aria-label': ui.nameOf(step) }, ...buttons);
}

const drawScale: SurveyParts['drawScale'] = (ui, step, { min, max, look }, choose) => {
  const hasFaces = look === 'emoji';
  const labels: Record<number, string> = {
    [min]: ui.toPlainText(step.label_low),
    [max]: ui.toPlainText(step.label_high),
  };
  const faceNames = max - min === 4 ? ui.label('faces').split(',') : [];
  const buttons: HTMLElement[] = [];
  for (let value = min; value <= max; value++) {
    const place = (value - min) / (max - min);
    const path = look === 'stars' ? star : hasFaces && face + mouths[Math.round(place * 4)];
    const button = ui.button('act', [path ? ui.icon(path) : String(value)], () => choose(String(value), button));
    button.style.setProperty('--at', String(place));
    const label = labels[value] || (hasFaces && faceNames[value - min]);
    button.setAttribute('aria-label', label ? `${value} – ${label}` : `${value}`);
    buttons.push(button);
  }
  const group = drawRadios(ui, step, look === 'stars' ? 'scale stars' : 'scale', buttons);
  if (!step.label_low && !step.label_high) return [group];
  const ends = Object.entries({ [min]: step.label_low, [max]: step.label_high }).map(([value, text]) =>
    ui.create('span', text ? { 'data-value': `${value} – ` } : {}, ...ui.toNodes(text)),
  );
  return [group, ui.create('div', { class: 'ends', 'aria-hidden': 'true' }, ...ends)];
};

const drawRadios: SurveyParts['drawRadios'] = (ui, step, className, buttons) => {
  for (const [at, button] of buttons.entries()) {
    button.role = 'radio';
    button.ariaChecked = 'false';
    // Tab leads to the group, and the arrow keys move in it.
    button.tabIndex = at === 0 ? 0 : -1;
  }
  const group = drawGroup(ui, step, className, 'radiogroup', buttons);
  ui.on(group, 'keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey } = event as KeyboardEvent;
    const forward = getComputedStyle(group).direction === 'rtl' ? -1 : 1;
    const at = buttons.indexOf(event.composedPath()[0] as HTMLElement);
    const places = { ArrowRight: at + forward, ArrowLeft: at - forward, ArrowDown: at + 1, ArrowUp: at - 1 };
    const place = { ...places, Home: 0, End: -1 }[key];
    if (place === undefined || altKey || ctrlKey || metaKey) return;
    for (const button of buttons) button.tabIndex = -1;
    const next = buttons.at(place % buttons.length);
    if (next) next.tabIndex = 0;
    next?.focus();
    event.preventDefault();
  });
  return group;
};

/**
 * Says thank you with a tick. If there is nothing to click, the box closes when the user has had time to read and is not in the
 * box.
 */
function thank(ui: Ui, walk: Walk, step: PageStep, box: HTMLElement): void {
  box.firstElementChild?.prepend(ui.create('div', { class: 'tick' }, ui.icon(tick)));
  if (step.buttons) return;
  // After a click on an answer, the box has the focus. So only a focus from the keyboard says that the user is in the box.
  const isUsed = () => box.matches(':hover,:focus-visible,:has(:focus-visible)');
  const countDown = (seconds: number): Cleanup =>
    walk.later(
      () => (seconds > 1 ? countDown(isUsed() ? THANK_YOU_SECONDS : seconds - 1) : walk.end('completed')),
      1000,
    );
  countDown(THANK_YOU_SECONDS);
}

function drawInput(ui: Ui, walk: Walk, step: PageStep, answer: Answer): HTMLElement {
  const field = ui.create('textarea', {
    'aria-label': ui.nameOf(step),
    placeholder: ui.toPlainText(step.placeholder),
    maxlength: MAX_INPUT,
    dir: 'auto',
  });
  ui.on(field, 'keydown', (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
  });
  const form = drawForm(ui, walk, step, [field], () => {
    const input = field.value.trim();
    if (input) answer({ input });
    else if (step.preset === 'response') answer(undefined);
    else field.focus();
  });
  return form;
}

function drawDropdown(ui: Ui, walk: Walk, step: PageStep, answer: Answer): HTMLElement {
  const items = (step.dropdown_items ?? []).map((item) => ui.toPlainText(item));
  const other = ui.toPlainText(step.other_text);
  const choose = ui.toPlainText(step.placeholder) || ui.label('choose');
  const options = [choose, ...items, ...(other ? [other] : [])].map((text) => ui.create('option', {}, text));
  const select = ui.create('select', { 'aria-label': ui.nameOf(step) }, ...options);
  const otherInput = ui.create('input', { 'aria-label': other, placeholder: other, maxlength: MAX_INPUT, dir: 'auto' });
  const field = ui.create('div', { class: 'field' }, select, ui.icon(chevron));
  ui.on(select, 'change', () => {
    if (select.selectedIndex <= items.length) return otherInput.remove();
    field.after(otherInput);
    otherInput.focus();
  });
  return drawForm(ui, walk, step, [field], () => {
    const index = select.selectedIndex - 1;
    const [value, input] = [items[index], otherInput.value.trim()];
    if (value !== undefined) answer({ value, index });
    else if (index < 0) select.focus();
    else if (input) answer({ value: other, input, index });
    else otherInput.focus();
  });
}

/** Draws a form with fields. The first button of the step, if it has any, submits the answer. */
function drawForm(ui: Ui, walk: Walk, step: PageStep, fields: HTMLElement[], submit: () => void): HTMLFormElement {
  const [first, ...others] = step.buttons ?? [];
  const button = ui.button('act first', first ? ui.toNodes(first.text) : 'submit', () => {});
  const buttons = others.map((button) => ui.button('act', ui.toNodes(button.text), () => walk.press(button)));
  (button as HTMLButtonElement).type = 'submit';
  buttons.push(button);
  const footer = [
    ...(step.preset === 'response' ? [skipButton(ui, walk, step)] : walk.dismissButton(step)),
    ...walk.buttonRow(buttons),
  ];
  const form = ui.create('form', {}, ...fields, ui.create('div', { class: 'foot' }, ...footer));
  ui.on(form, 'submit', (event) => {
    event.preventDefault();
    submit();
  });
  return form;
}

function skipButton(ui: Ui, walk: Walk, { dismiss_text }: PageStep): HTMLElement {
  return ui.button('link', dismiss_text ? ui.toNodes(dismiss_text) : 'skip', () => walk.go(1));
}

registerModule('survey', paint);
