import {
  type Content,
  contentByLanguage,
  type Document,
  type ExperienceKind,
  type PageUser,
  writeDocument,
} from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';
import { guard } from './xss-page.ts';
import { addresses, html } from './xss-payloads.ts';

/* All fields of an Experience that take text, with `EVIL` for the payload. */

interface Field {
  kind: ExperienceKind;
  fields: object;
  /** Values of the user, the Delivery and the translation. */
  custom?: object;
  options?: object;
  translated?: true;
  /** Whether the field is not shown as text. */
  isOther?: true;
}
const step = (fields: object, kind: ExperienceKind = 'tour', more: object = {}): Field => ({
  kind,
  fields: { steps: [{ title: 'Step', ...fields }], ...more },
});
const body = (text: string, fields: Partial<Field> = {}): Field => ({
  ...step({ body: text }),
  isOther: true,
  ...fields,
});
const other = (field: Field): Field => ({ ...field, isOther: true });
const button = (fields: object): Field =>
  other(step({ buttons: [{ text: 'Go', additional_actions: ['cta_url'], ...fields }] }));
const at = { position_type: 'snap_to_element' };
const inline = { position_type: 'inline', elements: [{ selector: '#slot' }] };
const launcher = (fields: object): Field => ({
  kind: 'launcher',
  fields: { title: 'Help', items: [{ title: 'Item', url: '/x' }], ...fields },
});

const fields: Record<string, Field> = {
  'the title of a step': step({ title: 'EVIL' }),
  'what dismisses a step': step({ dismiss_text: 'EVIL' }),
  'the text of a button': step({ buttons: [{ text: 'EVIL' }] }),
  Markdown: body('EVIL'),
  'a block of Markdown': body('> EVIL\n\n- EVIL\n\n# EVIL'),
  'code in Markdown': body('```\nEVIL\n```'),
  'a link': body('[Go](EVIL)'),
  'a link in brackets': body('[Go](<EVIL>)'),
  'a link by reference': body('[Go][1]\n\n[1]: EVIL'),
  'a link of its own': body('<EVIL>'),
  'the words of a link': body('[EVIL](/x)'),
  'the title of a link': body('[Go](/x "EVIL")'),
  'an image': body('![Picture](EVIL)'),
  'the caption of an image': body('![EVIL](/x.png)'),
  'the title of an image': body('![Picture](/x.png "EVIL")'),
  'the address of a button': button({ action_url: 'EVIL' }),
  'the address of a button, in a new window': button({ action_url: 'EVIL', action_new_window: true }),
  'the end of an address': button({ action_url: '/x?y=EVIL' }),
  'the element of a button': button({ additional_actions: ['element_click'], action_element: { selector: 'EVIL' } }),
  'the property of a button': button({
    additional_actions: ['property'],
    action_property: 'EVIL',
    action_value: 'EVIL',
  }),
  'the tag of a button': button({ additional_actions: ['tag_user'], action_tag: 'EVIL' }),
  'the selector of an element': other(step({ ...at, elements: [{ selector: 'EVIL' }] })),
  'the text of an element': other(step({ ...at, elements: [{ text: 'EVIL' }] })),
  'a selector in a shadow root': other(step({ ...at, elements: [{ selector: 'body', shadow_selector: 'EVIL' }] })),
  'the title of a survey': step({ title: 'EVIL', preset: 'survey_nps' }, 'survey'),
  'the labels of a scale': step({ preset: 'survey_nps', label_low: 'EVIL', label_high: 'EVIL' }, 'survey'),
  'an answer': step({ preset: 'survey_two', buttons: [{ text: 'EVIL' }, { text: 'No' }] }, 'survey'),
  'an item of a list': step({ preset: 'survey_dropdown', dropdown_items: ['EVIL'] }, 'survey'),
  'any other answer': step({ preset: 'survey_dropdown', dropdown_items: ['A'], other_text: 'EVIL' }, 'survey'),
  'a placeholder': step({ preset: 'survey_input', placeholder: 'EVIL' }, 'survey'),
  'a thank-you': other(step({ preset: 'thank_you', body: 'EVIL' }, 'survey')),
  'the title of a launcher': launcher({ title: 'EVIL' }),
  'the description of a launcher': other(launcher({ description: 'EVIL' })),
  'the icon of a launcher': other(launcher({ trigger: 'EVIL' })),
  'the element of a launcher': other(launcher({ trigger: 'EVIL', trigger_type: 'element' })),
  'the text of a tab': launcher({ trigger_type: 'tab', trigger_text: 'EVIL' }),
  'an empty list': other(launcher({ items: [], empty_state_content: 'EVIL' })),
  'the title of an item': launcher({ items: [{ title: 'EVIL', url: '/x' }] }),
  'the description of an item': other(launcher({ items: [{ title: 'A', url: '/x', description: 'EVIL' }] })),
  'the address of an item': other(launcher({ items: [{ title: 'A', url: 'EVIL' }] })),
  'the title of a tooltip': step({ title: 'EVIL', ...inline }, 'tooltip'),
  'the body of a tooltip': other(step({ body: 'EVIL', ...inline }, 'tooltip')),
  'the title of an embed': step({ title: 'EVIL', ...inline }, 'embed'),
  'the body of an embed': other(step({ body: 'EVIL', ...inline }, 'embed', { style: 'card' })),
  'a property in a title': { ...step({ title: 'Hi {{evil}}' }), custom: { evil: 'EVIL' } },
  'a property in Markdown': body('Hi **{{evil}}**', { custom: { evil: 'EVIL' } }),
  'a property as an address': body('[Go]({{evil}}) ![x]({{evil}})', { custom: { evil: 'EVIL' } }),
  'a property in the address of a button': { ...button({ action_url: '{{evil}}' }), custom: { evil: 'EVIL' } },
  'a property in the address of an item': {
    ...other(launcher({ items: [{ title: 'A', url: '{{evil}}' }] })),
    custom: { evil: 'EVIL' },
  },
  'an option in a title': { ...step({ title: 'Hi {{delivery "evil"}}' }), options: { evil: 'EVIL' } },
  'an option in Markdown': body('Hi **{{delivery "evil"}}**', { options: { evil: 'EVIL' } }),
  'an option as an address': body('[Go]({{delivery "evil"}}) ![x]({{delivery "evil"}})', { options: { evil: 'EVIL' } }),
  'an option in the address of a button': {
    ...button({ action_url: '{{delivery "evil"}}' }),
    options: { evil: 'EVIL' },
  },
  'an option in the text of a button': {
    ...step({ buttons: [{ text: '{{delivery "evil"}}' }] }),
    options: { evil: 'EVIL' },
  },
  'the translation of a title': { ...step({}), translated: true },
  'the translation of Markdown': { ...body('Words'), translated: true },
  'the translation of an answer': {
    ...step({ preset: 'survey_dropdown', dropdown_items: ['A'] }, 'survey'),
    translated: true,
  },
};

const id = (n: number) => n.toString(16).padStart(24, '0');

/** Builds the response of the server directly, so that no input check removes the payload. */
function answerOf({ kind, fields, custom = {}, options, translated }: Field, evil: string): string {
  let count = 1;
  const problems: string[] = [];
  const harmless: Document = writeDocument(kind, undefined, { name: 'A', ...fields }, () => id(count++), problems);
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'string' ? one.replaceAll('EVIL', () => evil) : one));
  const document = fill(harmless);
  const first = document.steps[0]?.id ?? '';
  const texts = { title: evil, body: evil, 'dropdown_items.0': evil };
  const content: Content = { document, translations: translated ? { de: { [first]: texts } } : {} };
  const user: PageUser = {
    profile: { facts: {}, custom: fill(custom) as Record<string, never> },
    now: 0,
    language: 'de',
    inSegment: () => true,
    isLive: () => true,
    isCompleted: () => false,
  };
  const experience = contentByLanguage(id(99), content, { allowScripts: false, allowGlobals: false })('de').jsonFor(
    user,
  );
  return `{"experience":${experience},"options":${JSON.stringify(fill(options ?? {}))}}`;
}

interface Outcome {
  wrong: string[];
  /** Whether the payload is visible as text. */
  isSeen: boolean;
}

/** Runs in the page: checks and uses everything that is shown. */
async function use(answers: (readonly [answer: string, payload: string])[]): Promise<Outcome[]> {
  const { xss } = window;
  const outcomes: Outcome[] = [];
  for (const [answer, payload] of answers) {
    const { experience, options } = JSON.parse(answer);
    xss.wrong = [];
    window.kinds.show(experience, options);
    window.kinds.open();
    xss
      .inside()
      .find((one) => one.matches('.hint'))
      ?.dispatchEvent(new FocusEvent('focusin'));
    xss.look();
    const isSeen = xss
      .inside()
      .some((one) => one.textContent?.includes(payload) || one.getAttribute('placeholder')?.includes(payload));
    for (const one of xss.inside()) {
      one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      if (one.matches('a, button:not(.x)')) one.click();
    }
    xss.look();
    window.kinds.clear();
    outcomes.push({ wrong: xss.wrong, isSeen });
  }
  // After this time, the error handler of an image would have run.
  await new Promise((done) => {
    const image = new Image();
    image.onload = image.onerror = done;
    image.src = '/last';
  });
  xss.wrong = [];
  xss.look();
  outcomes.push({ wrong: xss.wrong, isSeen: true });
  return outcomes;
}

describe('a hostile text', () => {
  const all = [...html, ...addresses];
  /** By default a field gets a third of the payloads, another third than the previous field. `rest` has the others. */
  const isChosen = (isInThird: boolean) =>
    process.env.USHER_TEST_MODE === 'all' || isInThird === (process.env.USHER_TEST_MODE !== 'rest');
  let page: Page;
  const dialogs: string[] = [];
  const canary: string[] = [];
  beforeAll(async () => {
    page = await openPage();
    await page.evaluate(guard);
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url().includes('canary.test')) canary.push(request.resourceType());
    });
  });
  afterAll(closeContexts);

  it.each(Object.entries(fields).map(([name, field], at) => ({ name, field, at })))(
    'in $name stays plain text',
    async ({ field, at }) => {
      const payloads = all.filter((_, index) => isChosen(index % 3 === at % 3));
      const answers = payloads.map((payload) => [answerOf(field, payload), payload] as const);
      const outcomes = await page.evaluate(use, answers);
      expect(outcomes.flatMap(({ wrong }, index) => (wrong.length > 0 ? [payloads[index], wrong] : []))).toEqual([]);
      const unseen = payloads.filter((_, index) => !outcomes[index]?.isSeen);
      if (!field.isOther) expect(unseen).toEqual([]);
      const requested = canary.splice(0).filter((type) => type !== 'image');
      expect([dialogs.splice(0), requested]).toEqual([[], []]);
    },
  );
});
