import { listImportedFields } from '../fields/derive.ts';
import type { ElementTarget, PageElement, Values } from '../fields/field.ts';
import { importedElementKeys } from '../fields/imported-element.ts';
import { stepFields } from '../fields/step-fields.ts';
import type { Button } from './experience.ts';
import { isFindable, resolveElement, toTarget } from './page-element.ts';

/*
 * Steps of other v3 services have an element for each purpose: where the step stands, and what starts and ends it. Ours have one
 * list of elements for all of these. An imported step gets the element that decides most, and keeps the others, so that its
 * author can check what is not the same.
 */

type StepValues = Values<typeof stepFields>;
type ElementField = 'position_element' | 'trigger_element' | 'trigger_secondary_element' | 'trigger_additional_element';

const names: Record<ElementField, string> = {
  position_element: 'the element that it stands at',
  trigger_secondary_element: 'the element of its second condition',
  trigger_element: 'the element that starts it',
  trigger_additional_element: 'the element of its further condition',
};
const standsAtElement: readonly string[] = ['snap_to_element', 'inline'];
export const importedStepFields = listImportedFields(stepFields) as (keyof StepValues)[];

/** What is not exactly as imported, as the author of the step should read it. */
export interface ImportDoubt {
  /** The field that was imported, such as `exit_element` or `buttons.0.action_element`. */
  field: string;
  /** A sentence. */
  message: string;
}

/**
 * The elements of a step by its imported fields; empty if none can be found. Undefined if the step has no such fields.
 */
export function mapImportedElements(step: Partial<StepValues>): ElementTarget[] | undefined {
  const [first] = listPlacing(step);
  if (!first) return undefined;
  const target = toTarget(first.element);
  return isFindable(target) ? [target] : [];
}

/** Lists what is not exactly as imported. An element that somebody has chosen since is no doubt. */
export function listImportDoubts(step: StepValues & { buttons: readonly Button[] }): ImportDoubt[] {
  return [
    ...listPlaceDoubts(step),
    ...listOtherDoubts(step),
    ...step.elements.flatMap((element, at) => describeDoubts(element, `elements.${at}`, 'its element')),
    ...step.buttons.flatMap(({ action_element, position, text }, at) =>
      action_element
        ? describeDoubts(
            action_element,
            `buttons.${at}.action_element`,
            `the element that button ${position + 1}${text ? ` ("${text}")` : ''} clicks`,
          )
        : [],
    ),
  ];
}

function listPlaceDoubts(step: StepValues): ImportDoubt[] {
  const [first, ...others] = listPlacing(step);
  if (!first) return [];
  const mapped = mapImportedElements(step) ?? [];
  if (!isSame(step.elements.map(toTarget), mapped)) return [];
  if (mapped.length === 0)
    return [{ field: first.field, message: `Nothing finds ${names[first.field]}: choose one, or remove it` }];
  const own = describeDoubts(first.element, first.field, names[first.field]);
  const different = others.filter(({ element }) => !isSame([toTarget(element)], mapped));
  return [
    ...own,
    ...different.map(({ field }) => ({
      field,
      message: `Its elements are not the same: ${names[first.field]} is used, and ${names[field]} is not`,
    })),
  ];
}

function listOtherDoubts(step: StepValues): ImportDoubt[] {
  const { exit_element, step_additional_trigger: further, follow_up_delay, step_trigger } = step;
  const doubts: ImportDoubt[] = [];
  if (exit_element)
    doubts.push({
      field: 'exit_element',
      message: 'An element ended it: here it ends by its buttons, or when it is dismissed',
    });
  if (further && further !== 'page_load' && further !== step_trigger)
    doubts.push({ field: 'step_additional_trigger', message: `Its further condition "${further}" is not checked` });
  if (follow_up_delay)
    doubts.push({
      field: 'follow_up_delay',
      message: `The next step came after a delay (${follow_up_delay}): set the delay of the next step`,
    });
  return doubts;
}

function describeDoubts(element: PageElement, field: string, name: string): ImportDoubt[] {
  return resolveElement(element).doubts.map((doubt) => ({ field, message: `Check ${name}: ${doubt}` }));
}

/** The elements that can decide where or when a step shows. The first decides most. */
function listPlacing(step: Partial<StepValues>): { field: ElementField; element: PageElement }[] {
  const byTrigger: ElementField[] = ['trigger_secondary_element', 'trigger_element', 'trigger_additional_element'];
  const isPlaced = standsAtElement.includes(step.position_type ?? '');
  const order: ElementField[] = isPlaced ? ['position_element', ...byTrigger] : [...byTrigger, 'position_element'];
  return order.flatMap((field) => {
    const element = step[field];
    return element ? { field, element } : [];
  });
}

/** The fields of a step whose import was checked: what was made of it stays. */
export function acceptImport({ elements }: Pick<StepValues, 'elements'>): Partial<StepValues> {
  return { ...noImport(), elements: elements.map(toTarget) };
}

/** The fields of a step without anything that was imported, so that another element can be chosen. */
export function discardImport(elements: readonly PageElement[] = []): Partial<StepValues> {
  return { ...noImport(), elements: [...elements] };
}

/** Whether a step, or an element of it, was imported and not checked yet. */
export function hasImport(step: StepValues): boolean {
  return importedStepFields.some((name) => step[name] !== null) || step.elements.some(isImportedElement);
}

export function isImportedElement(element: PageElement): boolean {
  return importedElementKeys.some((key) => element[key] !== undefined);
}

function noImport(): Partial<StepValues> {
  return Object.fromEntries(importedStepFields.map((name) => [name, null]));
}

function isSame(ones: readonly ElementTarget[], others: readonly ElementTarget[]): boolean {
  const write = (targets: readonly ElementTarget[]) =>
    JSON.stringify(targets.map(({ selector, text, shadow_selector }) => [selector, text, shadow_selector]));
  return write(ones) === write(others);
}
