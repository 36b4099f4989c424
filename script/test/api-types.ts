import type * as usherPackage from '../src/index.d.ts';
import type { ShowReason, StepInfo, TourEvent, Usher, UsherEvents } from '../src/index.d.ts';
import type { Report } from '../src/wire.ts';

/*
 * Tests the types that developers get. The type checker is the test: a line after `@ts-expect-error` must be wrong. The core and
 * the package are checked against the same types, see script/src/core/api.ts, core/events.ts and npm.ts.
 */

type Equals<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
/** Code of the page receives the same fields as the server, except for those about the showing. */
export const reported: Equals<
  keyof TourEvent,
  Exclude<keyof Report, 'showing' | 'elapsed' | 'group_kind' | 'group_id'> | 'kind'
> = true;

export async function callAll(page: Usher): Promise<ShowReason | undefined> {
  page.identify(7);
  page.identify('7', { plan: 'pro' });
  page.identify({ uid: '7', plan: 'pro' });
  page.identify({ plan: 'pro' });
  page.track('Exported', { rows: 3 });
  // @ts-expect-error: an event needs a name.
  page.track();
  const result = await page.show('5fb70dcbc39330000325a818', { once: true, redirect: true });
  // @ts-expect-error: the option does not exist.
  void page.show('5fb70dcbc39330000325a818', { twice: true });
  // @ts-expect-error: a redirect is an address, or true.
  void page.show('5fb70dcbc39330000325a818', { redirect: false });
  if (result.shown) {
    // @ts-expect-error: a result that is shown has no reason.
    const reason: string = result.reason;
    return reason as ShowReason;
  }
  // @ts-expect-error: the reasons are a closed set.
  if (result.reason === 'because') return undefined;
  const isShowing: boolean = page.isShowing('5fb70dcbc39330000325a818') || page.isShowing();
  if (isShowing) page.next();
  page.previous();
  page.close();
  // @ts-expect-error: the call closes the Experience in front, whatever it is.
  page.close('5fb70dcbc39330000325a818');
  return result.reason;
}

export function listen(page: Usher): void {
  const stop: () => void = page.on('tour:event', ({ experience_id, state, response, problem }) =>
    console.log(experience_id, state === 'snoozed', response?.value, response?.index, problem?.reason),
  );
  stop();
  page.once('load', (data: undefined) => data);
  page.once('after:account', ({ token }) => token.length);
  page.on('after:profile', ({ uid, plan }) => [uid.length, plan]);
  // @ts-expect-error: no such event.
  page.on('tour:events', () => {});
  // @ts-expect-error: a tracked event has a name, not an ID.
  page.on('usher:event', ({ id }) => id);
  const hook = async ({ kind, step_id, index }: StepInfo) => [kind === 'tour', step_id, index + 1];
  const remove: () => void = page.before('step', hook);
  remove();
  page.off('step', hook);
  // @ts-expect-error: there are hooks for steps only.
  page.before('tour', hook);
  const handler = (data: UsherEvents['app:navigate']) => data.href;
  page.off('app:navigate', handler);
}

export function load({ default: usher, init }: typeof usherPackage): Usher {
  // @ts-expect-error: the package needs the address of the server.
  usher.init('ACCOUNT_TOKEN');
  // @ts-expect-error: the call of the snippet is not the one of the package.
  usher.init({ storage: 'none' });
  usher.data.profile.get('plan');
  return init('ACCOUNT_TOKEN', { url: 'https://usher.example.com', storage: 'none', nonce: 'abc' });
}
