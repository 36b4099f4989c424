import type { AppContext } from '../src/context.ts';
import { recountUse } from './use-rows.ts';

export const experienceId = 'e'.repeat(24);

/** Inserts rows about a user into every table that has such, with a unique text in each place that contains user data. */
export async function addUserRows(
  app: AppContext,
  account_id: string,
  profile_id: string,
  canary: (place: string) => string,
) {
  const of = { account_id, profile_id, updated_at: 1000 };
  const flags = { use_segmentation: false, once: false, skip_triggers: false, skip_url_match: false };
  const delivery = { ...of, ...flags, model_id: experienceId, model_kind: 'tour' as const };
  const [pending, triggered] = [app.newId(), app.newId()];
  await app.storage.write(account_id, async (db) => {
    const groups = {
      group_id: canary('groupid'),
      group_kind: canary('groupkind') as 'link',
      step_id: canary('laststep'),
    };
    await db
      .insertInto('interactions')
      .values({ ...of, id: app.newId(), experience_id: experienceId, state: 'started', ...groups })
      .execute();
    const response = { account_id, profile_id, experience_id: experienceId };
    const response_id = app.newId();
    await db
      .insertInto('responses')
      .values({ ...of, ...response, id: response_id, href: canary('page') })
      .execute();
    const chosen = { value: canary('value'), button_id: canary('button'), button_text: canary('text') };
    await db
      .insertInto('answers')
      .values({
        ...{ ...response, ...chosen, response_id, step_id: canary('step'), question_order: 0 },
        input: canary('response'),
      })
      .execute();
    await db
      .insertInto('response_tags')
      .values({ account_id, profile_id, experience_id: experienceId, response_id, name: canary('responsetag') })
      .execute();
    const done = { account_id, profile_id, experience_id: experienceId, day: 21_000 };
    await db
      .insertInto('activities')
      .values([
        { ...done, what: 'started', part_id: '' },
        { ...done, what: 'step', part_id: canary('part') },
      ])
      .execute();
    await db
      .insertInto('interruption_days')
      .values({ ...done, interruptions: 1, steps: 2, seconds: 30 })
      .execute();
    const found = { path: canary('path'), finding: 'hidden', part_id: canary('place'), at: app.now() } as const;
    await db
      .insertInto('findings')
      .values({ ...done, ...found })
      .execute();
    const logged = { account_id, profile_id, path: canary('logpath'), user_agent: canary('agent'), fields: '[]' };
    await db
      .insertInto('installation_entries')
      .values({ ...logged, id: app.newId(), kind: 'identify', outcome: 'accepted', messages: '[]' })
      .execute();
    await db
      .insertInto('deliveries')
      .values([
        { ...delivery, id: pending, idempotency_key: canary('key'), options: JSON.stringify({ a: canary('options') }) },
        {
          ...delivery,
          id: triggered,
          at: 1000,
          at_href: `https://acme.test/?${canary('href')}`,
          claimed_by: canary('claim'),
        },
      ])
      .execute();
    const pick = { account_id, profile_id, id: app.newId(), admin_id: app.newId(), purpose: 'try' as const };
    await db
      .insertInto('exposures')
      .values({ account_id, profile_id, experiment_id: app.newId(), variant_id: canary('arm'), exposed_at: app.now() })
      .execute();
    await db
      .insertInto('merged_profiles')
      .values({ account_id, profile_id, id: canary('merged'), at: app.now() })
      .execute();
    const hashes = { key_hash: canary('pickkey'), code_hash: canary('pickcode') };
    await db
      .insertInto('picks')
      .values({
        ...{ ...pick, ...hashes, experience_id: experienceId, host: 'acme.test', expires_at: app.now() + 60_000 },
        href: `https://acme.test/?${canary('pickhref')}`,
        page: JSON.stringify({ href: 'https://acme.test/', title: canary('picktitle') }),
      })
      .execute();
    const item = { account_id, profile_id, webhook_id: app.newId(), kind: 'tour.exited' as const };
    const payload = { href: `https://acme.test/?${canary('toldhref')}`, experience_id: experienceId };
    await db
      .insertInto('outbox')
      .values([
        { ...item, id: pending, payload: JSON.stringify(payload), attempts: 1, next_at: 1000, state: 'pending' },
        { ...item, id: triggered, payload: '{}', repeat_key: canary('repeat'), attempts: 1, state: 'sent' },
      ])
      .execute();
    const named = {
      profile_id,
      webhook_ids: item.webhook_id,
      kind: item.kind,
      at: 1000,
      repeat_key: canary('toldkey'),
    };
    const payloadLater = JSON.stringify({ href: `https://acme.test/?${canary('later')}` });
    await db
      .insertInto('webhook_events')
      .values({ account_id, ...named, id: app.newId(), payload: payloadLater })
      .execute();
    const heard = { answer: canary('answer'), error: canary('error') };
    await db
      .insertInto('webhook_attempts')
      .values({ ...item, id: app.newId(), item_id: pending, at: 1000, ms: 7, ...heard })
      .execute();
    await db
      .updateTable('profiles')
      .set({ browser_l: canary('language'), delivery_ids: JSON.stringify([pending]) })
      .where('account_id', '=', account_id)
      .where('id', '=', profile_id)
      .execute();
  });
  await recountUse(app, account_id);
}
