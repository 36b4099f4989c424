import type { Page, PageButton, PageStep, Paint, Report, Shown } from '../kind.ts';
import { nameOf, press } from '../page/box.ts';
import { icon } from '../page/icon.ts';
import { register } from '../page/register.ts';
import { footOf, ownButtons, rowOf, type Walk, walkThrough, wayOut } from '../page/walk.ts';

const css = `
.answers,.ends{display:flex;flex-wrap:wrap;gap:8px}
.main>*+:is(.answers,.scale,form){margin-top:16px}
.answers .act{flex:1 1 auto}
.answers:has(:nth-child(4)) .act{flex-basis:40%}
.answers:has(:nth-child(5)) .act{flex-basis:100%}
.box:has(.scale):not(.banner){width:min(416px,100vw - 32px)}
.scale{display:grid;grid-template-columns:repeat(var(--count),1fr);gap:4px}
.scale .act{min-width:0;padding:0;display:grid;place-items:center}
.scale .act:is(:hover,:focus-visible){background:var(--accent);color:var(--on)}
.act:has(svg){height:56px;border:0;color:var(--soft)}
.act svg{width:40px;height:40px;stroke-width:1.5}
.ends{justify-content:space-between;margin-top:8px;color:var(--soft);font-size:13px}
form{display:grid;gap:12px;margin:0}
.field{position:relative}
textarea,input,select{display:block;width:100%;margin:0;padding:8px 12px;font:inherit;font-size:16px;color:inherit;background:none;border:1px solid var(--edge);border-radius:var(--small);resize:vertical;appearance:none}
option{background:var(--bg)}
textarea{min-height:88px;max-height:40vh}
select{padding-inline-end:36px;text-overflow:ellipsis;cursor:pointer}
.field svg{position:absolute;top:11px;inset-inline-end:12px;pointer-events:none;color:var(--soft)}
::placeholder{color:var(--soft)}
:is(textarea,input,select):focus{outline:2px solid var(--accent);outline-offset:-1px}
form .foot{padding:0}
@media(max-width:440px){.scale:has(:nth-child(11)){grid-template-columns:repeat(6,1fr)}}`;

const face = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M9 9v1M15 9v1';
const mouths = [
  'M8 16.5q4-4 8 0',
  'M8.5 16q3.5-2 7 0',
  'M8.5 15.2h7',
  'M8.5 14.4q3.5 2.6 7 0',
  'M7.5 13.5q4.5 6.5 9 0z',
];
const chevron = 'M7 10l5 5l5-5';
const LONGEST_INPUT = '10000';

const scales: Record<string, readonly [lowest: number, highest: number] | undefined> = {
  survey_nps: [0, 10],
  survey_csat: [1, 5],
  survey_ces: [1, 7],
};

/** A question or a few, each with the means to answer it. */
const paint: Paint = (shown, page) => {
  page.style(css);
  return walkThrough(shown, page, {
    state: 'started',
    draw: (step, walk) => draw(shown, page, walk, step),
    // Nothing is asked any more: also who leaves the page now has completed it.
    painted: ({ preset, id }) => preset === 'thank_you' && shown.report({ state: 'completed', step_id: id }),
  });
};

function draw(shown: Shown, page: Page, walk: Walk, step: PageStep) {
  const { preset = '' } = step;
  const isAfterwards = preset === 'thank_you' || preset === 'response';
  const close = () => walk.end(isAfterwards ? 'completed' : 'exited');
  const inline = step.position_type === 'inline' ? ('beforeend' as const) : undefined;
  const answer: Answer = (response, button = step.buttons?.[0]) => {
    if (response) shown.report({ step_id: step.id, response, href: location.href });
    if (button) walk.press(button, true);
    else walk.go(1);
  };
  const parts = (middle: Node[], foot: Node[]) => ({ middle, foot, close, inline });
  const scale = scales[preset];
  if (scale) return parts(drawScale(page, step, scale, answer), wayOut(page, walk, step));
  switch (preset) {
    case 'survey_input':
    case 'response':
      return parts([drawInput(page, walk, step, answer)], []);
    case 'survey_dropdown':
      return parts([drawDropdown(page, walk, step, answer)], []);
    case 'thank_you':
      return parts([], rowOf(page, ownButtons(page, walk, step.buttons)));
    case '':
      return parts([], footOf(page, walk, step));
    default:
      return parts([drawButtons(page, step, answer)], wayOut(page, walk, step));
  }
}

/** Undefined: the user would rather not say. By the first button of the step, unless given. */
type Answer = (response: Report['response'], button?: PageButton) => void;

function drawButtons(page: Page, step: PageStep, answer: Answer): HTMLElement {
  const buttons = (step.buttons ?? []).map((button) =>
    press(page, 'act', page.write(button.text), () => answer({ button_id: button.id }, button)),
  );
  return page.make('div', { class: 'answers', role: 'group', 'aria-label': nameOf(page, step) }, ...buttons);
}

function drawScale(
  page: Page,
  step: PageStep,
  [lowest, highest]: readonly [number, number],
  answer: Answer,
): HTMLElement[] {
  const isFaces = step.preset === 'survey_csat';
  const labels: Record<number, string> = {
    [lowest]: page.words(step.label_low),
    [highest]: page.words(step.label_high),
  };
  const buttons: HTMLElement[] = [];
  for (let value = lowest; value <= highest; value++) {
    const content = isFaces ? icon(face + mouths[value - lowest]) : String(value);
    const button = press(page, 'act', [content], () => answer({ value: String(value) }));
    const label = labels[value] ? ` – ${labels[value]}` : isFaces ? ` / ${highest}` : '';
    button.setAttribute('aria-label', value + label);
    buttons.push(button);
  }
  const group = page.make('div', { class: 'scale', role: 'group', 'aria-label': nameOf(page, step) }, ...buttons);
  group.style.setProperty('--count', String(buttons.length));
  page.on(group, 'keydown', (event) => {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[(event as KeyboardEvent).key];
    if (!along) return;
    const turn = getComputedStyle(group).direction === 'rtl' ? -1 : 1;
    buttons[buttons.indexOf(event.target as HTMLElement) + along * turn]?.focus();
    event.preventDefault();
  });
  if (!step.label_low && !step.label_high) return [group];
  const ends = [step.label_low, step.label_high].map((text) => page.make('span', {}, ...page.write(text)));
  return [group, page.make('div', { class: 'ends', 'aria-hidden': 'true' }, ...ends)];
}

function drawInput(page: Page, walk: Walk, step: PageStep, answer: Answer): HTMLElement {
  const field = page.make('textarea', {
    'aria-label': nameOf(page, step),
    placeholder: page.words(step.placeholder),
    maxlength: LONGEST_INPUT,
  });
  page.on(field, 'keydown', (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
  });
  const form = drawForm(page, walk, step, [field], () => {
    const input = field.value.trim();
    if (input) answer({ input });
    else if (step.preset === 'response') answer(undefined);
    else field.focus();
  });
  return form;
}

function drawDropdown(page: Page, walk: Walk, step: PageStep, answer: Answer): HTMLElement {
  const items = (step.dropdown_items ?? []).map((item) => page.words(item));
  const other = page.words(step.other_text);
  const choose = page.words(step.placeholder) || page.t('choose');
  const options = [choose, ...items, ...(other ? [other] : [])].map((text) => page.make('option', {}, text));
  const select = page.make('select', { 'aria-label': nameOf(page, step) }, ...options);
  const own = page.make('input', { 'aria-label': other, placeholder: other, maxlength: LONGEST_INPUT });
  const field = page.make('div', { class: 'field' }, select, icon(chevron));
  page.on(select, 'change', () => {
    if (select.selectedIndex <= items.length) return own.remove();
    field.after(own);
    own.focus();
  });
  return drawForm(page, walk, step, [field], () => {
    const index = select.selectedIndex - 1;
    const [value, input] = [items[index], own.value.trim()];
    if (value !== undefined) answer({ value, index });
    else if (index < 0) select.focus();
    else if (input) answer({ value: other, input, index });
    else own.focus();
  });
}

/** The first button of the step, if it has any, is what sends the answer. */
function drawForm(page: Page, walk: Walk, step: PageStep, fields: HTMLElement[], send: () => void): HTMLFormElement {
  const [first, ...others] = step.buttons ?? [];
  const text = first ? page.write(first.text) : [page.t('submit')];
  const buttons = others.map((button) => press(page, 'act', page.write(button.text), () => walk.press(button)));
  buttons.push(page.make('button', { class: 'act first' }, ...text));
  const foot = [
    ...(step.preset === 'response' ? [skip(page, walk, step)] : wayOut(page, walk, step)),
    ...rowOf(page, buttons),
  ];
  const form = page.make('form', {}, ...fields, page.make('div', { class: 'foot' }, ...foot));
  page.on(form, 'submit', (event) => {
    event.preventDefault();
    send();
  });
  return form;
}

function skip(page: Page, walk: Walk, { dismiss_text }: PageStep): HTMLElement {
  return press(page, 'link', dismiss_text ? page.write(dismiss_text) : [page.t('skip')], () => walk.go(1));
}

register('survey', paint);
