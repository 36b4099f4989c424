import { describe, expect, it } from 'vitest';
import type { ExperienceKind } from '../kinds/kinds.ts';
import type { Document } from './experience.ts';
import type { PartFields } from './experience-parameters.ts';
import { writeDocument } from './experience-write.ts';
import { findPublishProblems, listPublishProblems } from './publish.ts';

const id = (n: number) => n.toString(16).padStart(24, '0');
const [live, resting, gone] = [id(1), id(2), id(3)];
const campaigns = new Map([
  [live, true],
  [resting, false],
]);

function documentOf(kind: ExperienceKind, input: object): Document {
  let count = 100;
  const problems: string[] = [];
  const document = writeDocument(kind, undefined, { name: 'A', ...input }, () => id(count++), problems);
  expect(problems).toEqual([]);
  return document;
}
const problems = (kind: ExperienceKind, input: object) => findPublishProblems(documentOf(kind, input), campaigns);

const element = { selector: '#save', text: null, shadow_selector: null };
const step: PartFields = { title: 'Hello' };
const button: PartFields = { text: 'Go' };
const question: PartFields = { title: 'How was it?', preset: 'survey_nps' };
const item: PartFields = { title: 'Docs', url: 'https://example.com/' };
const part = (text: string) => ({ ...element, selector: null, text });

/** Checks that a document has a problem, and that the corrected document has none. */
type Row = [problem: string, wrong: object, right: object];
const holds = (kind: ExperienceKind, [problem, wrong, right]: Row) => {
  expect(problems(kind, wrong)).toEqual([problem]);
  expect(problems(kind, right)).toEqual([]);
};
const steps = (...input: object[]) => ({ steps: input });
const noElement = 'but none is chosen: give the CSS selector of one, or a text that it holds';

describe('a valid document', () => {
  it.each<[ExperienceKind, object]>([
    ['tour', steps({ ...step, body: 'Hi **{{first_name}}**', buttons: [button] }, { body: 'Only a body' })],
    ['survey', steps(question, { title: 'Thanks', preset: 'thank_you' })],
    ['launcher', { items: [item, { kind: 'divider' }] }],
    ['tooltip', steps({ ...step, elements: [element] })],
    ['embed', steps({ ...step, position_type: 'inline', elements: [element] })],
  ])('%s', (kind, input) => expect(problems(kind, input)).toEqual([]));
});

describe('an Experience', () => {
  it('rejects more than 40,000 Markdown signs and merge tags in all texts together', () => {
    const wide = (count: number) => steps(...Array.from({ length: count }, () => ({ body: '*_'.repeat(2000) })));
    expect(problems('tour', wide(10))).toEqual([]);
    expect(problems('tour', wide(11))).toEqual([
      expect.stringMatching(/^The texts of the tour have 44000 line breaks and signs .* 40000 at most/),
    ]);
  });

  it('rejects a hotspot without an element, at its first step only', () => {
    const hotspot = { ...step, hotspot: true };
    const problem = `Step 1 ("Hello"): it begins as a hotspot at an element of the page, ${noElement}`;
    holds('tour', [problem, steps(hotspot), steps({ ...hotspot, elements: [element] })]);
    expect(problems('tour', steps(step, hotspot))).toEqual([]);
  });

  it.each<[ExperienceKind, Row]>([
    ['tour', ['The tour has no steps: add one', {}, steps(step)]],
    ['survey', ['The survey has no steps: add one', {}, steps(question)]],
    ['tooltip', ['The tooltip has no steps: add one', {}, steps({ ...step, elements: [element] })]],
    [
      'embed',
      ['The embed has no steps: add one', {}, steps({ ...step, position_type: 'inline', elements: [element] })],
    ],
    [
      'tour',
      [
        'The experiment has no range: choose which percents of the users take part, such as 0-50',
        { experiment_at: 0, ...steps(step) },
        { experiment_at: 0, experiment_range: '0-50', ...steps(step) },
      ],
    ],
    [
      'survey',
      [
        'The survey asks nothing: choose a kind of question, such as NPS, for one of its steps',
        steps(step, { ...step, preset: 'thank_you' }),
        steps(step, question),
      ],
    ],
    [
      'survey',
      [
        'Step 1 ("Thanks"): it answers a question, so it cannot be the first: move the question before it',
        steps({ title: 'Thanks', preset: 'thank_you' }, question),
        steps(question, { title: 'Thanks', preset: 'thank_you' }),
      ],
    ],
    [
      'survey',
      [
        'Step 1 ("Great"): it answers a question, so it cannot be the first: move the question before it',
        steps({ title: 'Great', preset: 'response' }, question),
        steps(question, { title: 'Great', preset: 'response' }),
      ],
    ],
  ])('%s %#', holds);
});

describe('a step', () => {
  const at = (input: object) => steps({ ...step, ...input });
  const withElement = (input: object) => at({ ...input, elements: [element] });
  const needsElement = (why: string, input: object): Row => [
    `Step 1 ("Hello"): ${why}, ${noElement}`,
    at(input),
    withElement(input),
  ];
  const notUnderstood = (field: string, input: object, right: object): Row => [
    `Step 1 ("Hello"): its ${field}: \`{{oops\` is never closed with \`}}\` (character 4)`,
    at(input),
    at(right),
  ];

  it.each<Row>([
    ['Step 1: it says nothing: write a title or a body', steps({}), steps({ body: 'Hi' })],
    ['Step 1: it says nothing: write a title or a body', steps({ title: null, body: '\n' }), steps({ title: 'Hi' })],
    needsElement('it stands at an element of the page', { position_type: 'snap_to_element' }),
    needsElement('it stands at the element that triggers it', { position_type: 'snap_to_trigger' }),
    needsElement('it is part of the page, inside an element', { position_type: 'inline' }),
    needsElement('it waits until an element is on the page', { step_trigger: 'element_match' }),
    needsElement('it waits until an element is gone from the page', { step_trigger: 'element_not_match' }),
    needsElement('it waits for a click on an element', { secondary_trigger: 'click' }),
    needsElement('it waits for the pointer over an element', { secondary_trigger: 'hover' }),
    needsElement('it waits for a text in an element', { secondary_trigger: 'input' }),
    [
      `Step 1 ("Hello"): it stands at an element of the page, ${noElement}`,
      at({ position_type: 'snap_to_element', elements: [{ ...element, selector: null }] }),
      at({ position_type: 'snap_to_element', elements: [part('Save')] }),
    ],
    [
      'Step 1 ("Hello"): the selector "a { }" has a { where none can be: in a name, write \\ before it',
      at({ elements: [{ ...element, selector: 'a { }' }] }),
      at({ elements: [{ ...element, selector: 'a' }] }),
    ],
    [
      'Step 1 ("Hello"): element 2: the selector "b[" has a bracket without its other half: [',
      at({ elements: [element, { ...element, shadow_selector: 'b[' }] }),
      at({ elements: [element, { ...element, shadow_selector: 'b' }] }),
    ],
    [
      'Step 1 ("Hello"): it names an element inside another, but not the other: give the selector of that one too',
      at({ elements: [{ ...part('Save'), shadow_selector: 'b' }] }),
      at({ elements: [{ ...element, shadow_selector: 'b' }] }),
    ],
    [
      'Step 1 ("Hello"): it waits for some time, but not how long: give a number of seconds',
      at({ secondary_trigger: 'time_on_page' }),
      at({ secondary_trigger: 'time_on_page', trigger_delay: 0 }),
    ],
    [
      'Step 1 ("Hello"): it waits for some time, but not how long: give a number of seconds',
      at({ secondary_trigger: 'smart_delay' }),
      at({ secondary_trigger: 'smart_delay', trigger_delay: 3 }),
    ],
    [
      'Step 1 ("Hello"): it waits until people have scrolled, but not how far: give a percentage from 1 to 100',
      at({ secondary_trigger: 'scroll_percent' }),
      at({ secondary_trigger: 'scroll_percent', trigger_scroll_percent: 50 }),
    ],
    [
      'Step 1 ("Hello"): it waits for code of yours, but there is none: write it, or choose another trigger',
      at({ secondary_trigger: 'custom_trigger' }),
      at({ secondary_trigger: 'custom_trigger', custom_trigger: 'return true' }),
    ],
    [
      'Step 1 ("Hello"): the URL pattern "(" must be a regular expression, but has an unclosed group `(` at character 1: add `)`, or put `\\` before it',
      at({ quantifier_urls: [{ url: '(', match_type: 'regex' }] }),
      at({ quantifier_urls: [{ url: '(', match_type: 'exact' }] }),
    ],
    [
      'Step 1 ("Hello"): the URL pattern "(?:.*a){480}Q" must be a regular expression, but has too many parts: 1921 with its repetitions written out, and 1000 are the most; repeat less, or use several shorter patterns',
      at({ quantifier_urls: [{ url: '(?:.*a){480}Q', match_type: 'regex' }] }),
      at({ quantifier_urls: [{ url: '(?:.*a){200}Q', match_type: 'regex' }] }),
    ],
    [
      'The URL patterns of the match type regex have 20002 characters together, and 20000 are the most: shorten them, or use the match type simple',
      at({ quantifier_urls: Array(2).fill({ url: 'a'.repeat(10_001), match_type: 'regex' }) }),
      at({ quantifier_urls: Array(40).fill({ url: `/${'a'.repeat(499)}`, match_type: 'regex' }) }),
    ],
    notUnderstood('text', { body: 'Hi {{oops' }, { body: 'Hi {{name}}' }),
    notUnderstood('link to dismiss', { dismiss_text: 'No {{oops' }, { dismiss_text: 'No {{name}}' }),
    notUnderstood('answer 2', { dropdown_items: ['a', 'In {{oops'] }, { dropdown_items: ['a', '{{name}}'] }),
    notUnderstood('label of the lowest answer', { label_low: 'No {{oops' }, { label_low: 'No' }),
    notUnderstood('label of the highest answer', { label_high: 'Oh {{oops' }, { label_high: 'Oh' }),
    notUnderstood('hint in the empty field', { placeholder: 'Oh {{oops' }, { placeholder: 'Oh' }),
    notUnderstood('name of any other answer', { other_text: 'Oh {{oops' }, { other_text: 'Oh' }),
    [
      'Step 1 ("{{#if a}}Hi"): its title: `{{#if a}}` is never closed with `{{/if}}` (character 1)',
      steps({ title: '{{#if a}}Hi' }),
      steps({ title: '{{#if a}}Hi{{/if}}' }),
    ],
  ])('%s', (...row) => holds('tour', row));

  it.each<[ExperienceKind, Row]>([
    [
      'tooltip',
      [
        `Step 1 ("Hello"): a tooltip stands at an element of the page, ${noElement}`,
        at({}),
        at({ elements: [part('Save')] }),
      ],
    ],
    [
      'embed',
      [
        'Step 1 ("Hello"): an embed is part of the page: place it inline, at an element',
        withElement({ position_type: 'snap_to_element' }),
        withElement({ position_type: 'inline' }),
      ],
    ],
    [
      'embed',
      [
        `Step 1 ("Hello"): it is part of the page, inside an element, ${noElement}`,
        at({ position_type: 'inline' }),
        withElement({ position_type: 'inline' }),
      ],
    ],
  ])('of a %s %#', holds);
});

describe('a question', () => {
  const buildQuestion = (preset: string, count: number) =>
    steps({ ...question, preset, buttons: Array.from({ length: count }, () => button) });

  it.each([
    ['survey_two', 2],
    ['survey_three', 3],
    ['survey_four', 4],
    ['survey_five', 5],
  ])('requires for %s exactly %i buttons', (preset, count) => {
    expect(problems('survey', buildQuestion(preset, count))).toEqual([]);
    for (const wrong of [0, count - 1, count + 1])
      expect(problems('survey', buildQuestion(preset, wrong))).toEqual([
        `Step 1 ("How was it?"): it asks for one of ${count} answers, but has ${wrong} buttons: make one button for each answer`,
      ]);
  });

  it.each(['survey_nps', 'survey_csat', 'survey_ces', 'survey_input'])('accepts %s without buttons', (preset) => {
    expect(problems('survey', buildQuestion(preset, 0))).toEqual([]);
    expect(problems('survey', buildQuestion(preset, 1))).toEqual([]);
  });

  it('rejects a dropdown question without answers', () =>
    holds('survey', [
      'Step 1 ("How was it?"): it asks for an answer from a list, but the list is empty: add the answers',
      buildQuestion('survey_dropdown', 0),
      steps({ ...question, preset: 'survey_dropdown', dropdown_items: ['Good'] }),
    ]));

  it('accepts a text question that has only a placeholder', () =>
    holds('survey', [
      'Step 1: it says nothing: write a title or a body',
      steps({ preset: 'survey_input' }),
      steps({ preset: 'survey_input', placeholder: 'What is missing?' }),
    ]));

  it('checks the number of buttons only in a survey', () => {
    expect(problems('tour', buildQuestion('survey_two', 1))).toEqual([]);
  });
});

describe('a button', () => {
  const with_ = (input: object) => steps({ ...step, buttons: [{ ...button, ...input }] });
  const does = (action: string, problem: string, wrong: object, right: object): Row => [
    `Step 1 ("Hello"): button 1 ("Go"): ${problem}`,
    with_({ additional_actions: [action], ...wrong }),
    with_({ additional_actions: [action], ...right }),
  ];
  const opens = (action_url: string): Row =>
    does(
      'cta_url',
      `its address "${action_url}" is none that can be opened: begin it with https://, http://, mailto:, tel: or /, and leave no spaces in it`,
      { action_url },
      { action_url: '/x' },
    );

  it.each<Row>([
    ['Step 1 ("Hello"): button 1: it has no text: write what a click does', with_({ text: null }), with_({})],
    [
      'Step 1 ("Hello"): button 1 ("{{"): `{{` is never closed with `}}` (character 1)',
      with_({ text: '{{' }),
      with_({ text: '\\{{' }),
    ],
    does('cta_url', 'it opens a page, but none is given: write its address', {}, { action_url: 'tel:+123' }),
    opens('javascript:alert(1)'),
    opens('data:text/html,x'),
    opens('https://a.com/a b'),
    opens('{{url | fallback: "javascript:x"}}'),
    does(
      'cta_url',
      'its address: `{{a` is never closed with `}}` (character 2)',
      { action_url: '/{{a' },
      { action_url: '{{home}}/x/{{uid}}?a={{b}}' },
    ),
    does(
      'cta_url',
      'its address "/{{#if a}}b{{/if}}" has a condition in it, which none can: make a button for each address',
      { action_url: '/{{#if a}}b{{/if}}' },
      { action_url: 'mailto:{{owner}}' },
    ),
    does('tour', 'it starts a tour, but none is chosen: choose one', {}, { action_campaign_id: live }),
    does('survey', 'it starts a survey, but none is chosen: choose one', {}, { action_campaign_id: live }),
    does(
      'tour',
      'it starts a tour that is not published: publish that one first, or choose another',
      { action_campaign_id: resting },
      { action_campaign_id: live },
    ),
    does(
      'survey',
      'it starts a survey that is gone: choose another',
      { action_campaign_id: gone },
      { action_campaign_id: live },
    ),
    does(
      'element_click',
      'it clicks an element of the page, but none is chosen: give its CSS selector, or a text that it holds',
      {},
      { action_element: element },
    ),
    does(
      'element_click',
      'it clicks an element of the page, but none is chosen: give its CSS selector, or a text that it holds',
      { action_element: part('') },
      { action_element: part('Save') },
    ),
    does(
      'element_click',
      'the selector "#" has a # that no name follows (a name cannot begin with a digit)',
      { action_element: { ...element, selector: '#' } },
      { action_element: element },
    ),
    does(
      'property',
      'it sets a property, but none is named: give the key of the property',
      { action_value: 'x' },
      { action_property: 'role' },
    ),
    does('tag_user', 'it tags the user, but without a tag: write the tag', {}, { action_tag: 'seen' }),
    does('code', 'it runs code, but there is none: write it', {}, { action_script: 'go()' }),
  ])('%s', (...row) => holds('tour', row));

  it('checks only what the actions of a button need', () => {
    expect(problems('tour', with_({ action_url: 'javascript:x', action_campaign_id: gone }))).toEqual([]);
  });

  it('reports a problem once when an action is listed twice', () => {
    expect(problems('tour', with_({ additional_actions: ['code', 'code'] }))).toHaveLength(1);
  });
});

describe('a launcher', () => {
  const items = (...input: object[]) => ({ items: input });
  const with_ = (input: object) => ({ items: [item], ...input });

  it.each<Row>([
    ['The launcher has no items that show: add one, or show one that is hidden', {}, items(item)],
    [
      'The launcher has no items that show: add one, or show one that is hidden',
      items({ ...item, hide: true }, { kind: 'divider' }),
      items({ ...item, hide: true }, item),
    ],
    [
      'The launcher opens by a tab without a text: write one',
      with_({ trigger_type: 'tab' }),
      with_({ trigger_type: 'tab', trigger_text: 'Help' }),
    ],
    [
      'The badge of the launcher is a text, but there is none: write one',
      { badge: 'text', ...items(item) },
      { badge: 'text', badge_text: 'New', ...items(item) },
    ],
    [
      'The keyboard shortcut of the launcher: Ctrl+T belongs to browsers: give a letter or digit with Alt, or with Alt and Shift, such as Alt+H, or choose another letter',
      { shortcut: 'Ctrl+T', ...items(item) },
      { shortcut: 'Alt+H', ...items(item) },
    ],
    [
      'The launcher opens by an element, but its selector is empty',
      with_({ trigger_type: 'element' }),
      with_({ trigger_type: 'element', trigger: '#help' }),
    ],
    [
      'The launcher opens by an element, but its selector has a bracket without its other half: [',
      with_({ trigger_type: 'element', trigger: 'a[' }),
      with_({ trigger_type: 'icon', trigger: 'a[' }),
    ],
    [
      'The title of the launcher: `{{` is never closed with `}}` (character 1)',
      with_({ title: '{{' }),
      with_({ title: '{{name}}' }),
    ],
    [
      'The text of the tab of the launcher: `{{` is never closed with `}}` (character 1)',
      with_({ trigger_text: '{{' }),
      with_({ trigger_text: '{{name}}' }),
    ],
    [
      'The description of the launcher: `{{` is never closed with `}}` (character 1)',
      with_({ description: '{{' }),
      with_({ description: '**Hi** {{name}}' }),
    ],
    [
      'The text of the empty list of the launcher: `{{` is never closed with `}}` (character 1)',
      with_({ empty_state_content: '{{' }),
      with_({ empty_state_content: 'All done' }),
    ],
    [
      'The launcher: the URL pattern "[" must be a regular expression, but has an unclosed class `[` at character 1: add `]`, or put `\\` before it',
      with_({ quantifier_urls: [{ url: '[', match_type: 'regex' }] }),
      with_({ quantifier_urls: [{ url: '/x', match_type: 'simple' }] }),
    ],
    ['Item 1: it has no title: write one', items({ url: '/x' }), items({ kind: 'url', title: 'X', url: '/x' })],
    [
      'Item 1 ("X"): it opens a page, but none is given: write its address',
      items({ title: 'X' }),
      items({ title: 'X', url: 'x/{{uid}}' }),
    ],
    [
      'Item 1 ("X"): its address "https://your-product.example/profile" is a placeholder: write the address of a page',
      items({ title: 'X', url: 'https://your-product.example/profile' }),
      items({ title: 'X', url: 'https://example.com/profile' }),
    ],
    [
      'Item 1 ("X"): its address "data:x" is none that can be opened: begin it with https://, http://, mailto:, tel: or /, and leave no spaces in it',
      items({ title: 'X', url: 'data:x' }),
      items({ title: 'X', url: 'HTTPS://x.com' }),
    ],
    [
      'Item 1 ("X"): it starts a tour, but none is chosen: choose one',
      items({ title: 'X', kind: 'tour' }),
      items({ title: 'X', kind: 'tour', campaign_id: live }),
    ],
    [
      'Item 1 ("X"): it starts a survey that is not published: publish that one first, or choose another',
      items({ title: 'X', kind: 'survey', campaign_id: resting }),
      items({ title: 'X', kind: 'survey', campaign_id: live }),
    ],
    [
      'Item 2 ("X"): it starts a tour that is gone: choose another',
      items(item, { title: 'X', kind: 'tour', campaign_id: gone }),
      items(item, { title: 'X', kind: 'tour', campaign_id: gone, hide: true }),
    ],
    [
      'Item 1 ("X"): it runs code, but there is none: write it',
      items({ title: 'X', kind: 'script' }),
      items({ title: 'X', kind: 'script', action_script: 'go()' }),
    ],
    [
      'Item 2 ("{{"): its title: `{{` is never closed with `}}` (character 1)',
      items(item, { ...item, title: '{{', hide: true }),
      items(item, { ...item, title: '{{name}}', hide: true }),
    ],
    [
      'Item 1 ("Docs"): its description: `{{` is never closed with `}}` (character 1)',
      items({ ...item, description: '{{' }),
      items({ ...item, description: '*Hi*' }),
    ],
  ])('%s', (...row) => holds('launcher', row));
});

it('lists all problems in the order of the steps', () => {
  const input = steps(
    { ...step, position_type: 'snap_to_element', buttons: [{}, { ...button, additional_actions: ['code'] }] },
    { title: ' Invite your team ', quantifier_urls: [{ url: '(', match_type: 'regex' }] },
    {},
  );
  expect(problems('tour', { experiment_at: 0, ...input }).map((problem) => problem.split(': ', 2).join(': '))).toEqual([
    'The experiment has no range: choose which percents of the users take part, such as 0-50',
    `Step 1 ("Hello"): it stands at an element of the page, but none is chosen`,
    'Step 1 ("Hello"): button 1',
    'Step 1 ("Hello"): button 2 ("Go")',
    'Step 2 ("Invite your team"): the URL pattern "(" must be a regular expression, but has an unclosed group `(` at character 1',
    'Step 3: it says nothing',
  ]);
});

it('names the field of each problem, and says it without its place too', () => {
  const input = steps(
    { ...step, title: '{{', position_type: 'snap_to_element', elements: [{ ...element, selector: '<' }] },
    { ...step, buttons: [{}, { ...button, additional_actions: ['cta_url'] }] },
    { ...step, dropdown_items: ['a', '{{'], quantifier_urls: [{ url: '(', match_type: 'regex' }] },
    {},
  );
  const found = listPublishProblems(documentOf('tour', { experiment_at: 0, ...input }), campaigns);
  expect(found.map(({ path }) => path)).toEqual([
    'experiment_range',
    'steps.0.title',
    'steps.0.elements.0.selector',
    'steps.1.buttons.0.text',
    'steps.1.buttons.1.action_url',
    'steps.2.dropdown_items.1',
    'steps.2.quantifier_urls.0.url',
    'steps.3.title',
  ]);
  expect(found[4]).toMatchObject({
    message: 'Step 2 ("Hello"): button 2 ("Go"): it opens a page, but none is given: write its address',
    detail: 'it opens a page, but none is given: write its address',
  });
});
