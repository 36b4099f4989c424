import type { ExclusiveKind } from '@usher/domain/kinds';
import type { ParamsOf } from '../../../api/api.ts';
import { changedFields } from '../../../app/changed-fields.ts';
import type { ChosenExperience } from '../../../experiences/experience-field.tsx';
import * as text from '../../../messages/text.ts';
import { fromLocalTime, toLocalTime } from '../../../ui/local-time.ts';
import { type OptionsDraft, type OptionsProblem, readDraft, toDraft } from './option-rows.ts';
import type { PendingDelivery } from './use-pending.ts';

const texts = text.queue.form;

/** The fields of a Delivery in the form. Times are texts in the reader's time zone. */
export interface DeliveryValues {
  experience: ChosenExperience | null;
  from: string;
  until: string;
  use_segmentation: boolean;
  once: boolean;
  skip_url_match: boolean;
  skip_triggers: boolean;
  options: OptionsDraft;
}

export const newValues: DeliveryValues = {
  experience: null,
  from: '',
  until: '',
  use_segmentation: false,
  once: false,
  skip_url_match: true,
  skip_triggers: true,
  options: { rows: [] },
};

export function valuesOf(delivery: PendingDelivery): DeliveryValues {
  const { experience, from, until, use_segmentation, once, skip_url_match, skip_triggers, options } = delivery;
  return {
    experience,
    from: from === null ? '' : toLocalTime(from),
    until: until === null ? '' : toLocalTime(until),
    ...{ use_segmentation, once, skip_url_match, skip_triggers },
    options: toDraft(options),
  };
}

export type DeliveryField = keyof typeof texts.fields;
export type DeliveryContent = Pick<
  Required<ParamsOf<'POST /v3/edit/deliveries'>>,
  'from' | 'until' | 'use_segmentation' | 'once' | 'skip_url_match' | 'skip_triggers' | 'options'
> & { model_id: string; model_kind: ExclusiveKind };

/** The params of a request, and what is wrong with the fields. */
export function readValues(
  values: DeliveryValues,
  used: readonly string[],
  now: number,
): { content: DeliveryContent | undefined; wrong: Partial<Record<DeliveryField, string>> } {
  const { experience, use_segmentation, once, skip_url_match, skip_triggers } = values;
  const [from, until] = [fromLocalTime(values.from) ?? null, fromLocalTime(values.until) ?? null];
  const options = readDraft(values.options, used);
  const wrong: Partial<Record<DeliveryField, string>> = {};
  if (!experience) wrong.model_id = texts.chooseExperience;
  if (until !== null && Date.parse(until) <= now) wrong.until = texts.past;
  else if (from !== null && until !== null && from > until) wrong.until = texts.order;
  if ('problem' in options) wrong.options = describeProblem(options.problem);
  if (!experience || 'problem' in options) return { content: undefined, wrong };
  const model_kind = experience.kind as ExclusiveKind;
  const terms = { use_segmentation, once, skip_url_match, skip_triggers };
  return { content: { model_id: experience.id, model_kind, from, until, ...terms, options: options.options }, wrong };
}

function describeProblem(problem: OptionsProblem): string {
  const { values } = texts;
  if ('key' in problem) return values[problem.code](problem.key);
  return problem.code === 'json' ? values.jsonProblem : values.noKey;
}

/**
 * The params that differ from the Delivery. The others are not sent, because somebody else may have changed them
 * meanwhile.
 */
export function changedContent(content: DeliveryContent, before: DeliveryContent): Partial<DeliveryContent> {
  const changed = changedFields(before, content);
  // The kind is always sent together with the ID.
  return changed.model_id === undefined ? changed : { ...changed, model_kind: content.model_kind };
}
