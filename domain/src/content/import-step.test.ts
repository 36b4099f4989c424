import { describe, expect, it } from 'vitest';
import { initialValues } from '../fields/derive.ts';
import type { PageElement } from '../fields/field.ts';
import { stepFields } from '../fields/step-fields.ts';
import type { Step } from './experience.ts';
import { acceptImport, discardImport, hasImport, listImportDoubts, mapImportedElements } from './import-step.ts';

const at = (fields: Partial<PageElement>): PageElement => ({
  ...{ selector: null, text: null, shadow_selector: null },
  ...fields,
});
const save = at({ selector: '#save' });
const menu = at({ tag: 'nav', attr_id: 'menu' });
const menuTarget = at({ selector: 'nav#menu' });

const newStep = (fields: Partial<Step>) =>
  ({ id: '5'.repeat(24), position: 0, ...initialValues(stepFields), buttons: [], ...fields }) as Step;

/** A step as an import stores it. */
function imported(fields: Partial<Step>): Step {
  const step = newStep(fields);
  return { ...step, elements: fields.elements ?? mapImportedElements(step) ?? [] };
}
const fieldsOf = (step: Step) => listImportDoubts(step).map(({ field }) => field);

describe('the elements of an imported step', () => {
  it.each<[string, Partial<Step>, PageElement[]]>([
    ['the element that it stands at', { position_type: 'snap_to_element', position_element: menu }, [menuTarget]],
    ['the element that starts it', { step_trigger: 'element_match', trigger_element: save }, [save]],
    ['the element of a click', { secondary_trigger: 'click', trigger_secondary_element: save }, [save]],
    [
      'the same element for every purpose',
      {
        ...{ step_trigger: 'element_match', trigger_element: at({ selector: 'nav#menu' }) },
        ...{ position_type: 'snap_to_element', position_element: menu, follow_up_delay: 0 },
        ...{ step_additional_trigger: 'page_load' },
      },
      [menuTarget],
    ],
  ])('are exact for %s', (_, fields, elements) => {
    const step = imported(fields);
    expect([step.elements, listImportDoubts(step)]).toEqual([elements, []]);
  });

  it('are the one that the step stands at, if there are others; these are doubts', () => {
    const fields: Partial<Step> = {
      ...{ position_type: 'snap_to_element', position_element: menu },
      ...{ step_trigger: 'element_match', trigger_element: save },
    };
    const step = imported(fields);
    expect([step.elements, fieldsOf(step)]).toEqual([[menuTarget], ['trigger_element']]);
    const onScreen = imported({ ...fields, position_type: 'relative_to_screen' });
    expect([onScreen.elements, fieldsOf(onScreen)]).toEqual([[save], ['position_element']]);
  });

  it.each<[string, Partial<Step>]>([
    ['exit_element', { exit_element: save }],
    ['step_additional_trigger', { step_additional_trigger: 'element_match', trigger_additional_element: save }],
    ['follow_up_delay', { follow_up_delay: 5 }],
    ['position_element', { position_element: at({ path: '/html/body' }) }],
    ['position_element', { position_element: at({ tag: 'li', path_index: 3 }) }],
    ['elements.0', { elements: [at({ tag: 'li', path_index: 3 })] }],
    ['buttons.0.action_element', { buttons: [{ text: 'Go', action_element: at({ path: '/a' }) }] as Step['buttons'] }],
  ])('have a doubt for `%s`', (field, fields) => {
    expect(fieldsOf(imported(fields))).toEqual([field]);
  });

  it('are no doubt once somebody has chosen another', () => {
    const step = imported({ position_element: at({ tag: 'li', path_index: 3 }) });
    expect(fieldsOf({ ...step, elements: [save] })).toEqual([]);
  });

  it('have no doubts after they were accepted or discarded, and nothing imported', () => {
    const step = imported({
      position_element: at({ tag: 'li', path_index: 3 }),
      exit_element: save,
      follow_up_delay: 4,
    });
    expect(hasImport(step)).toBe(true);
    const accepted = { ...step, ...acceptImport(step) };
    expect([accepted.elements, fieldsOf(accepted), hasImport(accepted)]).toEqual([[at({ selector: 'li' })], [], false]);
    const discarded = { ...step, ...discardImport([save]) };
    expect([discarded.elements, fieldsOf(discarded), hasImport(discarded)]).toEqual([[save], [], false]);
  });

  it('are not touched without imported fields', () => {
    expect(mapImportedElements(newStep({ elements: [save] }))).toBeUndefined();
    expect(hasImport(newStep({ elements: [save] }))).toBe(false);
  });
});
