import {
  type CreateExperiment,
  DEFAULT_SMALLEST_CHANGE,
  DEFAULT_WINDOW_DAYS,
  type ExperimentState,
  type UpdateExperiment,
  type VariantParameter,
} from './experiment-schema.ts';
import type { Variant } from './variants.ts';

export interface ExperimentValues {
  name: string;
  description: string | null;
  variants: readonly Variant[];
  segment_ids: readonly string[];
  segments_op: 'and' | 'or';
  goal_ids: readonly string[];
  guardrail_goal_ids: readonly string[];
  window_days: number;
  smallest_change: number;
}

/**
 * Applies parameters to an experiment, or to none yet. A variant keeps its ID as long as it has the same Experience, or is the
 * control.
 */
export function writeExperiment(
  before: ExperimentValues | undefined,
  params: CreateExperiment | Omit<UpdateExperiment, 'updated_at'>,
  newId: () => string,
  problems: string[],
): ExperimentValues {
  const { variants } = params;
  if (variants) checkVariants(variants, problems);
  return {
    name: params.name ?? before?.name ?? '',
    description: params.description === undefined ? (before?.description ?? null) : params.description,
    variants: variants ? variants.map((variant) => toVariant(variant, before, newId)) : (before?.variants ?? []),
    segment_ids: unique(params.segment_ids) ?? before?.segment_ids ?? [],
    segments_op: params.segments_op ?? before?.segments_op ?? 'and',
    goal_ids: unique(params.goal_ids) ?? before?.goal_ids ?? [],
    guardrail_goal_ids: unique(params.guardrail_goal_ids) ?? before?.guardrail_goal_ids ?? [],
    window_days: params.window_days ?? before?.window_days ?? DEFAULT_WINDOW_DAYS,
    smallest_change: params.smallest_change ?? before?.smallest_change ?? DEFAULT_SMALLEST_CHANGE,
  };
}

function toVariant(
  { name, experience_id = null, share }: VariantParameter,
  before: ExperimentValues | undefined,
  newId: () => string,
): Variant {
  const known = before?.variants.find((variant) => variant.experience_id === experience_id);
  return { id: known?.id ?? newId(), name, experience_id, share };
}

function checkVariants(variants: readonly VariantParameter[], problems: string[]): void {
  const sum = variants.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 100) > 1e-6)
    problems.push(`\`variants\`: the shares add up to ${Number(sum.toFixed(6))}, and must add up to 100`);
  const ids = variants.map(({ experience_id = null }) => experience_id);
  if (ids.every((id) => id === null)) problems.push('`variants` needs at least one variant with an `experience_id`');
  for (const [at, id] of ids.entries())
    if (ids.indexOf(id) < at)
      problems.push(
        id === null
          ? `\`variants[${at}]\` is a second control: only one variant can be without an Experience`
          : `\`variants[${at}].experience_id\` is the Experience of another variant already`,
      );
  const names = variants.map(({ name }) => name.trim().toLowerCase());
  for (const [at, name] of names.entries())
    if (names.indexOf(name) < at) problems.push(`\`variants[${at}].name\` is the name of another variant already`);
}

/** Why a change of an experiment that has started is rejected; undefined if it is possible. */
export function findFixedField(
  state: ExperimentState,
  before: ExperimentValues,
  after: ExperimentValues,
): string | undefined {
  if (state === 'draft') return undefined;
  const sameArms = (one: ExperimentValues) => JSON.stringify(one.variants.map(({ experience_id: id }) => id));
  const shares = (one: ExperimentValues) => JSON.stringify(one.variants.map(({ share }) => share));
  if (sameArms(before) !== sameArms(after)) return 'the Experiences of its variants';
  if (state === 'ended' && shares(before) !== shares(after)) return 'its shares';
  const audience = ({ segment_ids, segments_op }: ExperimentValues) => JSON.stringify([segment_ids, segments_op]);
  if (audience(before) !== audience(after)) return 'its Segments';
  return undefined;
}

function unique(ids: readonly string[] | undefined): string[] | undefined {
  return ids && [...new Set(ids)];
}
