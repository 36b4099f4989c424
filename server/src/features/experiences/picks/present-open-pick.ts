import { type OpenPickOutput, toTarget, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { forbidden } from '../../../errors.ts';
import type { PickRow } from '../../../pages/pick-token.ts';
import { type EventNameRow, eventNamesOf } from '../../audience/event-names/queries.ts';
import { loadUsers } from '../../team/persons/load-users.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';
import { type ThemeRow, themesOf } from '../themes/queries.ts';

/** Presents an open pick to its page: who made it, where, and for what. */
export async function presentOpenPick(ctx: Context, pick: PickRow): Promise<OpenPickOutput> {
  const isTheme = pick.purpose === 'theme';
  const theme = isTheme || pick.theme_id !== null ? await findThemeOf(ctx, pick) : undefined;
  const event = pick.purpose === 'event' ? await findEventOf(ctx, pick) : undefined;
  const experience = isTheme || event ? undefined : await findExperienceOf(ctx, pick);
  const users = await loadUsers(ctx, [pick.admin_id]);
  const account = await ctx.db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const at = experience?.draft.steps.findIndex((step) => step.id === pick.step_id) ?? -1;
  const step = experience?.draft.steps[at];
  return {
    purpose: pick.purpose,
    administrator: { name: users.get(pick.admin_id)?.name ?? '' },
    account: { name: account.name },
    server: ctx.app.publicUrl,
    experience: experience ? { id: experience.id, kind: experience.kind, name: experience.draft.name } : null,
    theme: theme ? { id: theme.id, name: theme.name } : null,
    event_name: event
      ? { id: event.id, name: event.name, elements: (event.definition?.elements ?? []).map(toTarget) }
      : null,
    step: step ? { id: step.id, number: at + 1, title: step.title, elements: step.elements.map(toTarget) } : null,
    expires_at: toTimestamp(pick.expires_at),
  };
}

export async function findExperienceOf(ctx: Context, { experience_id }: PickRow): Promise<ExperienceRow> {
  const row = await experiencesOf(ctx).where('id', '=', experience_id).executeTakeFirst();
  if (!row) throw forbidden('The Experience of this pick was deleted: go back to Usher and choose another one');
  return row;
}

export async function findEventOf(ctx: Context, { experience_id }: PickRow): Promise<EventNameRow> {
  const row = await eventNamesOf(ctx).where('id', '=', experience_id).executeTakeFirst();
  if (!row) throw forbidden('The event of this pick was deleted: go back to Usher and choose another one');
  return row;
}

export async function findThemeOf(ctx: Context, { experience_id, theme_id }: PickRow): Promise<ThemeRow> {
  const row = await themesOf(ctx)
    .where('id', '=', theme_id ?? experience_id)
    .executeTakeFirst();
  if (!row) throw forbidden('The theme of this pick was deleted: go back to Usher and choose another one');
  return row;
}
