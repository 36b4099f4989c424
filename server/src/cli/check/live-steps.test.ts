import { type Document, type ExperienceKind, emptyDocument, initialValues, stepFields } from '@usher/domain';
import { expect, it } from 'vitest';
import { listNeeded } from './live-steps.ts';

const at = (selector: string, fields: object = {}) => ({
  position_type: 'snap_to_element',
  elements: [{ selector, text: null, shadow_selector: null }],
  ...fields,
});
const on = (url: string) => ({ quantifier_urls: [{ url, match_type: 'simple' }] });

function list(kind: ExperienceKind, steps: object[], own: object = {}) {
  const whole = steps.map((step, index) => ({
    ...initialValues(stepFields),
    buttons: [],
    id: `step ${index}`,
    ...step,
  }));
  return listNeeded('id', 'Tour', { ...emptyDocument(kind), ...own, steps: whole } as unknown as Document);
}
const selectorsOf = (steps: ReturnType<typeof list>) => steps.map(({ elements }) => elements[0]?.selector);

it('lists the steps that do not show without their element', () => {
  const steps = [
    at('#beside'),
    at('#waited', { position_type: 'relative_to_screen', step_trigger: 'element_match' }),
    at('#clicked', { position_type: 'relative_to_screen', secondary_trigger: 'click' }),
    at('#unused', { position_type: 'relative_to_screen' }),
    at('#gone', { step_trigger: 'element_not_match' }),
    { title: 'Without an element' },
  ];
  expect(selectorsOf(list('tour', steps))).toEqual(['#beside', '#waited', '#clicked']);
  expect(selectorsOf(list('tooltip', [at('#hint', { position_type: 'relative_to_screen' })]))).toEqual(['#hint']);
  expect(list('embed', [at('#slot')])).toMatchObject([{ isInline: true }]);
  expect(list('launcher', [], { trigger_type: 'element', trigger: '.help', title: 'Help' })).toMatchObject([
    { id: 'id', number: 0, title: 'Help', elements: [{ selector: '.help' }] },
  ]);
  expect(list('launcher', [], { trigger_type: 'icon', trigger: 'star' })).toEqual([]);
});

it('takes the pages of the step before for a step without its own', () => {
  const urls = list('tour', [at('#a', on('/a')), at('#b'), at('#c', on('/c'))]).map(({ urls }) => urls[0]?.url);
  expect(urls).toEqual(['/a', '/a', '/c']);
});

it('knows which steps come after something that users do on the page', () => {
  const click = { buttons: [{ additional_actions: ['element_click'] }] };
  const steps = [
    at('#open', { ...on('/a'), secondary_trigger: 'click' }),
    at('#inside'),
    at('#other', on('/b')),
    at('#next', click),
    at('#opened'),
    at('#code', { ...on('/c'), secondary_trigger: 'custom_trigger' }),
  ];
  const needing = list('tour', steps).filter(({ needsActions }) => needsActions);
  expect(selectorsOf(needing)).toEqual(['#inside', '#opened', '#code']);
});
