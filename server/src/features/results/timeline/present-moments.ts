import { readChoices, type StoredAnswer, type TimelineEntry, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { answersById } from '../responses/queries.ts';
import { type KnownExperience, loadExperiences } from './load-experiences.ts';
import type { Moment } from './moments.ts';

export async function presentMoments(ctx: Context, moments: readonly Moment[]): Promise<TimelineEntry[]> {
  const responses = moments.filter(({ kind }) => kind === 'answered');
  const [experiences, answers, eventNames] = await Promise.all([
    loadExperiences(ctx, moments),
    answersById(
      ctx,
      responses.map(({ id }) => id),
    ),
    loadEventNames(ctx, moments),
  ]);
  return moments.map((moment) => {
    const { id, at, kind, event, delivery, until, itemId } = moment;
    const experience = moment.experience && experiences.get(moment.experience.id);
    return {
      id: `${kind}-${id}`,
      at: toTimestamp(at),
      kind,
      experience: experience ? presentExperience(moment, experience) : null,
      item: itemId === undefined ? null : { id: itemId, title: experience?.questions.get(itemId) || null },
      event: event ? { name: eventNames.get(event.name) ?? event.name, custom: event.custom } : null,
      answers: kind === 'answered' ? presentAnswers(answers.get(id) ?? [], experience) : null,
      delivery: delivery ? { id, href: delivery.at_href, reason: delivery.removed_reason } : null,
      until: toTimestampOrNull(until ?? null),
    };
  });
}

function presentExperience(
  { experience }: Moment,
  { kind, name, isDeleted }: KnownExperience,
): TimelineEntry['experience'] {
  const known = kind ?? experience?.kind;
  return experience && known ? { id: experience.id, kind: known, name, is_deleted: isDeleted } : null;
}

function presentAnswers(
  answers: readonly StoredAnswer[],
  experience: KnownExperience | undefined,
): TimelineEntry['answers'] {
  return answers.map(({ step_id, button_text, value, input, choices }) => {
    const choice =
      readChoices(choices)
        ?.map(({ text }) => text)
        .join(', ') ??
      button_text ??
      value;
    const question = experience?.questions.get(step_id) || null;
    return { step_id: step_id || null, question, value: choice ?? input, comment: choice === null ? null : input };
  });
}

/** Events are stored with the keys of their names. */
async function loadEventNames(ctx: Context, moments: readonly Moment[]): Promise<Map<string, string>> {
  const keys = [...new Set(moments.flatMap(({ event }) => event?.name ?? []))];
  if (keys.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('properties')
    .select(['prop', 'name'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', 'event_name')
    .where('prop', 'in', keys)
    .execute();
  return new Map(rows.map(({ prop, name }) => [prop, name]));
}
