import type { Document } from '@usher/domain';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';

/** Code runs in the customer's pages: only where the account allows it, and only owners write it. */
export async function checkScripts(ctx: Context, before: Document | null, after: Document): Promise<void> {
  const known = new Set(before ? scriptsIn(before) : []);
  if (scriptsIn(after).every((script) => known.has(script))) return;
  if (ctx.actor.role !== 'owner') throw forbidden('Only owners may write `action_script` and `custom_trigger`');
  const account = await ctx.db
    .selectFrom('accounts')
    .select('allow_scripts')
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  if (!account.allow_scripts)
    throw forbidden(
      '`action_script` and `custom_trigger` run code in your pages, which this account does not allow: set `allow_scripts` with PATCH /v3/edit/account first',
    );
}

/** Each with where it is: moved elsewhere, it is written anew. */
function scriptsIn({ steps, items = [] }: Document): string[] {
  const named = (id: string, script: string | null) => (script === null ? [] : `${id} ${script}`);
  return [
    ...steps.flatMap((step) => [
      named(step.id, step.custom_trigger),
      ...step.buttons.map((button) => named(button.id, button.action_script)),
    ]),
    ...items.map((item) => named(item.id, item.action_script)),
  ].flat();
}
