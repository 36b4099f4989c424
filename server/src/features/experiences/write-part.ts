import {
  addPart,
  type Button,
  changePart,
  type Document,
  type ExperienceKind,
  kinds,
  type ListItem,
  type PartFields,
  type Step,
  sortFields,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { noEndpoint, notFound } from '../../errors.ts';
import { changeExperience } from './change-experience.ts';
import { getExperience } from './queries.ts';

/*
 * Writes one step, item or Button. Each of these is a write of the whole document, so that the same checks apply.
 */

export type Part = Step | ListItem;
type List = 'steps' | 'items';

function checkList(kind: ExperienceKind, list: List): void {
  if (kinds[kind].parts !== list) throw noEndpoint();
}

export async function listParts(ctx: Context, kind: ExperienceKind, id: string, list: List): Promise<Part[]> {
  checkList(kind, list);
  const { draft } = await getExperience(ctx, kind, id);
  return listPartsOf(draft, list);
}

export async function showPart(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  list: List,
  partId: string,
): Promise<Part> {
  return find(await listParts(ctx, kind, id, list), partId, list);
}

export async function createPart(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  list: List,
  params: PartFields,
): Promise<Part> {
  checkList(kind, list);
  let known: ReadonlySet<string> = new Set();
  const row = await changeExperience(ctx, kind, id, {}, (document, problems, ctx) => {
    known = new Set(listPartsOf(document, list).map((part) => part.id));
    const parts = addPart(withoutIds(params), listPartsOf(document, list));
    return writeDocument(kind, document, { [list]: parts }, ctx.newId, problems);
  });
  return listPartsOf(row.draft, list).find((part) => !known.has(part.id)) as Part;
}

/** Updates a part, or removes it if `params` is null. Returns the part after the update or before the removal. */
export async function updatePart(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  list: List,
  partId: string,
  params: PartFields | null,
): Promise<Part> {
  checkList(kind, list);
  let before: Part | undefined;
  const row = await changeExperience(ctx, kind, id, {}, (document, problems, ctx) => {
    before = find(listPartsOf(document, list), partId, list);
    const parts = changePart(partId, params, listPartsOf(document, list));
    return writeDocument(kind, document, { [list]: parts }, ctx.newId, problems);
  });
  return listPartsOf(row.draft, list).find((part) => part.id === partId) ?? (before as Part);
}

export async function showButton(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  stepId: string,
  buttonId: string,
): Promise<Button> {
  checkList(kind, 'steps');
  const { steps } = sortFields((await getExperience(ctx, kind, id)).draft);
  return find(find(steps, stepId, 'steps').buttons, buttonId, 'buttons');
}

export async function createButton(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  stepId: string,
  params: PartFields,
): Promise<Button> {
  let known: ReadonlySet<string> = new Set();
  const step = await updateButtons(ctx, kind, id, stepId, (buttons) => {
    known = new Set(buttons.map((button) => button.id));
    return addPart(params, buttons);
  });
  return step.buttons.find((button) => !known.has(button.id)) as Button;
}

export async function updateButton(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  stepId: string,
  buttonId: string,
  params: PartFields | null,
): Promise<Button> {
  let before: Button | undefined;
  const step = await updateButtons(ctx, kind, id, stepId, (buttons) => {
    before = find(buttons, buttonId, 'buttons');
    return changePart(buttonId, params, buttons);
  });
  return step.buttons.find((button) => button.id === buttonId) ?? (before as Button);
}

async function updateButtons(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  stepId: string,
  change: (buttons: Button[]) => PartFields[],
): Promise<Step> {
  checkList(kind, 'steps');
  const row = await changeExperience(ctx, kind, id, {}, (document, problems, ctx) => {
    const { buttons } = find(sortFields(document).steps, stepId, 'steps');
    const steps = changePart(stepId, { buttons: change(buttons) }, document.steps);
    return writeDocument(kind, document, { steps }, ctx.newId, problems);
  });
  return find(sortFields(row.draft).steps, stepId, 'steps');
}

function listPartsOf(document: Document, list: List): Part[] {
  const { steps, items = [] } = sortFields(document);
  return list === 'steps' ? steps : items;
}

function withoutIds({ id: _, buttons, ...params }: PartFields): PartFields {
  return { ...params, ...(buttons && { buttons: buttons.map(withoutIds) }) };
}

const names = { steps: 'Step', items: 'item', buttons: 'Button' };

function find<P extends { id: string }>(parts: readonly P[], id: string, list: keyof typeof names): P {
  const part = parts.find((part) => part.id === id);
  if (!part) throw notFound(names[list]);
  return part;
}
