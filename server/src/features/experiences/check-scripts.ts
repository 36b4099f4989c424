import { type Document, hasPermission } from '@usher/domain';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';

/** Scripts run in the pages of the customer: the account must allow them, and only owners may write them. */
export async function checkScripts(ctx: Context, before: Document | null, after: Document): Promise<void> {
  const known = new Set(before ? listScripts(before) : []);
  if (listScripts(after).every((script) => known.has(script))) return;
  const { role, secret } = ctx.actor;
  if (!hasPermission({ role, scope: secret?.scope }, 'own'))
    throw forbidden('Only owners may write `action_script` and `custom_trigger`');
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

/** Lists scripts with the ID of their place: a script that moves to another place counts as new. */
function listScripts({ steps, items = [] }: Document): string[] {
  const describe = (id: string, script: string | null) => (script === null ? [] : `${id} ${script}`);
  return [
    ...steps.flatMap((step) => [
      describe(step.id, step.custom_trigger),
      ...step.buttons.map((button) => describe(button.id, button.action_script)),
    ]),
    ...items.map((item) => describe(item.id, item.action_script)),
  ].flat();
}
