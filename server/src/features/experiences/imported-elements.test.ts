import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});

/** An element with every field that another service may have. */
const everything = {
  ...{ selector: '#menu a', text: 'Settings', shadow_selector: null },
  ...{ description: 'The link', use: ['attr_id', 'tag'], path: 'body > a:nth-child(2)', tag: 'a', attr_id: 'settings' },
  ...{ attr_class: 'link big', attr_href: '/settings', attr_title: 'Go', attr_type: null, attr_name: 'settings' },
  ...{ attr_data: { test: 'settings' }, attr_aria_label: 'Settings', attr_aria_labelledby: 'label' },
  ...{ arity: 1, path_index: 0 },
};
const save = { tag: 'button', attr_data: 'data-test="save"' };
const plain = (fields: object) => ({ selector: null, text: null, shadow_selector: null, ...fields });

async function importTour(steps: object[], params: object = {}) {
  const { id } = (await api.post('/v3/edit/tours', { name: 'Tour' })).body.tour;
  const { status, body } = await api.post(`/v3/edit/tours/${id}/import`, { name: 'Tour', steps, ...params });
  expect([status, body.messages, body.warnings]).toEqual([200, undefined, undefined]);
  return body.tour;
}
const show = async (id: string) => (await api.get(`/v3/edit/tours/${id}`)).body.tour;
async function warningsOf(id: string, ...codes: string[]) {
  const { warnings } = (await api.get(`/v3/edit/tours/${id}/publish_check`)).body.publish_check;
  return warnings.filter(({ code }: { code: string }) => codes.includes(code));
}

describe('an imported document', () => {
  it('is returned as it was imported, with our elements beside', async () => {
    const fields = {
      trigger_element: everything,
      position_element: everything,
      exit_element: plain({ selector: '#out' }),
      trigger_additional_element: plain({ text: 'More' }),
      trigger_secondary_element: plain({ selector: 'my-app', shadow_selector: 'my-menu >>> button' }),
      step_additional_trigger: 'element_match',
      follow_up_delay: 2.5,
      position_type: 'snap_to_element',
    };
    const buttons = [{ text: 'Go', additional_actions: ['element_click'], action_element: everything }];
    const tour = await importTour([{ title: 'Hello', ...fields, buttons }]);
    const [step] = tour.steps;
    expect(step).toMatchObject(fields);
    expect(step.buttons[0].action_element).toEqual(everything);
    expect(step.elements).toEqual([plain({ selector: 'a:is(#menu a)#settings', text: 'Settings' })]);
    expect(await show(tour.id)).toEqual(tour);
    const again = await api.post(`/v3/edit/tours/${tour.id}/import`, tour);
    expect(again.body.tour).toEqual(tour);
  });

  it('sends pages only what finds the elements', async () => {
    const step = { title: 'Hello', position_type: 'snap_to_element', position_element: save, exit_element: save };
    const buttons = [{ text: 'Go', additional_actions: ['element_click', 'helpbar'], action_element: everything }];
    await importTour([{ ...step, follow_up_delay: 3, buttons }], { published_at: '$now' });
    const { body } = await visit(api, { uid: newUid() });
    const [{ id: _, ...shown }] = body.experiences[0].steps;
    expect(shown).toEqual({
      ...{ title: ['Hello'], position_type: 'snap_to_element' },
      elements: [{ selector: 'button[data-test="save"]' }],
      buttons: [
        {
          ...{ id: expect.any(String), text: ['Go'], additional_actions: ['element_click'] },
          action_element: { selector: 'a:is(#menu a)#settings', text: 'Settings' },
        },
      ],
    });
  });

  it('has no warning where it means the same here', async () => {
    const step = { title: 'Hello', position_type: 'snap_to_element', position_element: save, trigger_element: save };
    const { id } = await importTour([{ ...step, step_trigger: 'element_match' }]);
    expect(await warningsOf(id, 'imported_step', 'unsupported_action')).toEqual([]);
  });

  it('has a warning for everything that is not the same, until somebody changes it', async () => {
    const step = { title: 'Hello', position_type: 'snap_to_element', position_element: save };
    const { id, steps } = await importTour([
      { title: 'First' },
      {
        ...{ ...step, trigger_element: plain({ selector: '#other' }), exit_element: save },
        buttons: [{ text: 'Help', additional_actions: ['helpbar'], action_element: { tag: 'li', path_index: 2 } }],
      },
    ]);
    const found = await warningsOf(id, 'imported_step', 'unsupported_action');
    expect(found.map(({ path, message }: { path: string; message: string }) => [path, message])).toEqual([
      ['steps.1.position_element', expect.stringMatching(/^Step 2 was imported, please check it: .*starts it is not/)],
      ['steps.1.position_element', expect.stringContaining('An element ended it')],
      ['steps.1.buttons.0.action_element', expect.stringContaining('number 3 of the elements alike')],
      ['steps.1.buttons.0.additional_actions', expect.stringContaining('`helpbar` is an action of another service')],
    ]);
    const [first, second] = steps;
    const accepted = { id: second.id, exit_element: null, trigger_element: null };
    const button = { id: second.buttons[0].id, additional_actions: [], action_element: null };
    await api.patch(`/v3/edit/tours/${id}`, { steps: [{ id: first.id }, { ...accepted, buttons: [button] }] });
    expect(await warningsOf(id, 'imported_step', 'unsupported_action')).toEqual([]);
  });

  it('publishes with its warnings, and says what is missing where nothing finds an element', async () => {
    const step = { title: 'Hello', position_type: 'snap_to_element', position_element: { path: '/html/body' } };
    const { id, steps } = await importTour([step]);
    expect(steps[0].elements).toEqual([]);
    const publish = () => api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const { status, body } = await publish();
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('none is chosen')]]);
    await api.patch(`/v3/edit/tours/${id}`, {
      steps: [{ id: steps[0].id, position_element: save, exit_element: save }],
    });
    expect((await publish()).status).toBe(200);
  });

  it('has its Changes, with each field that was imported', async () => {
    const { id } = await importTour([{ title: 'Hello', position_element: save }]);
    const { changes } = (await api.get(`/v3/edit/tours/${id}/changes`)).body;
    const created = changes.find(({ model_type }: { model_type: string }) => model_type === 'Step');
    expect([created.kind, created.object]).toEqual([
      'raw',
      expect.objectContaining({
        'elements.0.selector': [null, 'button[data-test="save"]'],
        'position_element.tag': [null, 'button'],
        'position_element.attr_data': [null, 'data-test="save"'],
      }),
    ]);
  });

  it.each<[string, object, string]>([
    ['a number of matches that is none', { arity: -1 }, '`steps[0].trigger_element.arity` must be a whole number'],
    ['data that is no text', { attr_data: { a: 1 } }, '`steps[0].trigger_element.attr_data` must be a text such as'],
    [
      'a long attribute',
      { attr_id: 'x'.repeat(2001) },
      '`steps[0].trigger_element.attr_id` has 2001 characters: 2000 at most',
    ],
    ['a list of ways that is none', { use: 5 }, '`steps[0].trigger_element.use` must be a list'],
  ])('is rejected with %s', async (_, element, message) => {
    const { id } = (await api.post('/v3/edit/tours', { name: 'Tour' })).body.tour;
    const steps = [{ trigger_element: element }];
    const { status, body } = await api.post(`/v3/edit/tours/${id}/import`, { steps });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
  });
});

describe('an action of another service', () => {
  const actions = ['helpbar', 'automation', 'demo', 'hero_button', 'any_click'];
  const withActions = (additional_actions: string[]) => [{ title: 'A', buttons: [{ text: 'Go', additional_actions }] }];

  it('is kept by an import, and stays when other fields change', async () => {
    const { id, steps } = await importTour(withActions(['tag_user', ...actions]));
    expect(steps[0].buttons[0].additional_actions).toEqual(['tag_user', ...actions]);
    const { status, body } = await api.patch(`/v3/edit/tours/${id}`, { name: 'Other', steps });
    expect([status, body.tour.steps]).toEqual([200, steps]);
    const warnings = await warningsOf(id, 'unsupported_action');
    expect(warnings.map(({ message }: { message: string }) => /`(\w+)` is an action/.exec(message)?.[1])).toEqual(
      actions,
    );
  });

  it.each(actions)('is rejected by create and update, with what to use instead: %s', async (action) => {
    const created = await api.post('/v3/edit/tours', { name: 'Tour', steps: withActions([action]) });
    const message = expect.stringMatching(
      new RegExp(`^\`steps\\[0\\]\\.buttons\\[0\\]\\.additional_actions\\[0\\]\` is \`${action}\`, .*: .*\`\\w+\``),
    );
    expect([created.status, created.body.messages]).toEqual([422, [message]]);
    const { id } = (await api.post('/v3/edit/tours', { name: 'Tour' })).body.tour;
    const updated = await api.patch(`/v3/edit/tours/${id}`, { steps: withActions([action]) });
    expect([updated.status, updated.body.messages]).toEqual([422, [message]]);
    const added = await api.post(`/v3/edit/tours/${id}/steps`, withActions([action])[0] as object);
    expect([added.status, added.body.messages]).toEqual([422, [message]]);
  });

  it('is not offered for an action that is unknown', async () => {
    const { status, body } = await api.post('/v3/edit/tours', { name: 'Tour', steps: withActions(['dance']) });
    expect([status, body.messages]).toEqual([
      422,
      [expect.stringMatching(/must be one of `cta_url`.*`code`, not "dance"$/)],
    ]);
  });
});
