import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Response } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../server/test/api.ts';
import { call, dialog, uid, until, useHarness } from './browser.ts';
import { createRandom } from './random.ts';

const harness = useHarness();
beforeEach(async () => {
  await harness.createReadyLauncher();
});

const open = (options: object = {}) => harness.openReady({}, { uid, ...options });
/** A page sends an event a little later, and it counts when the server has it. So the model waits until then. */
const track = (page: Page, name: string) =>
  Promise.all([page.waitForResponse(/\/observe\/events$/), call(page, 'track', name)]);
const byEvent = () => ({ step_trigger: 'event', trigger_event: { name: 'Invite sent' } });
const done = (page: Page) => page.getByRole('button', { name: 'Done' }).click();

/** How many random steps two tabs take, and how long a request is on its way at most. */
const [STEPS, MAX_DELAY_MS] = process.env.USHER_TEST_MODE === 'all' ? [120, 600] : [25, 0];

const actions = ['track', 'send', 'reload', 'finish'] as const;

describe('two tabs, two nodes and a backend', () => {
  /*
   * The tabs are of two browsers, each with a stream. Any of them may begin the showing after an event, and the other one may join it. A
   * tab can still show what the user has finished in the other one. The model knows how many showings there are, whichever tab begins them.
   */
  it('start an Experience as often as the model says', { timeout: 600_000 }, async () => {
    const { api } = harness;
    const beside = await startApi({ beside: api, env: { PORT: '0' }, now: () => Date.now() + harness.clockOffsetMs });
    let turn = 0;
    harness.beforeRequest = async () => {
      if (MAX_DELAY_MS > 0) await pause(Math.random() ** 2 * MAX_DELAY_MS);
    };
    harness.nextNode = () => [api.url, beside.url][turn++ % 2] ?? api.url;
    // It may start again on each event.
    const { id } = await harness.createTour([{ title: 'Hello', ...byEvent() }], { repeat_days: 0 });
    const isFinished = async () => (await harness.interactions(id))[0]?.state === 'completed';
    // The full browser does not paint a page behind another one.
    const tabs = [await open({ context: await newContext() }), await open({ context: await newContext() })];
    let claims = 0;
    /** The tab that has begun the last showing. */
    let beginner: number | undefined;
    for (const [at, tab] of tabs.entries())
      tab.on('response', (response) => {
        if (!response.url().endsWith('/interactions')) return;
        const count = ({ items = [] }: { items?: { start?: { triggered: boolean } }[] }) => {
          const begun = items.filter(({ start }) => start?.triggered).length;
          claims += begun;
          if (begun > 0) beginner = at;
        };
        // A page that is loaded again drops the responses to its last reports.
        response.json().then(count, () => {});
      });
    const seed = Number(process.env.USHER_SEED ?? Date.now() % 100_000);
    const random = createRandom(seed);
    /** Whether the user is in the middle of a showing, whether an event waits for a page, and how many showings have begun. */
    let isOpen = false;
    let waits = false;
    let started = 0;
    const isEnd = (response: Response) => /"completed"/.test(response.request().postData() ?? '');
    const isShowing = async (tab: Page) => (await dialog(tab).count()) > 0;
    let log = `seed ${seed}:`;
    for (let step = 0; step < STEPS; step++) {
      const at = random(2);
      const tab = tabs[at] as Page;
      const action = actions[random(actions.length)] as (typeof actions)[number];
      const wasShowing = await isShowing(tab);
      if (action === 'finish' && !wasShowing) continue;
      log += ` ${action} ${at}`;
      // One user starts a tour every ten seconds at most.
      harness.clockOffsetMs += 11_000;
      if (action === 'track') await track(tab, 'Invite sent');
      else if (action === 'send') await api.post('/v3/observe/hooks/events', { uid, name: 'Invite sent' });
      else if (action === 'finish') await Promise.all([tab.waitForResponse(isEnd), done(tab)]);
      else {
        await tab.reload();
        await tab.getByRole('button', { name: 'Ready' }).waitFor();
      }
      const isEvent = action === 'track' || action === 'send';
      waits ||= isEvent && !isOpen;
      // An event of a backend wakes both tabs. A tab that still shows the last showing begins no other one.
      const begins: boolean =
        waits && (action === 'send' || action === 'reload' || (action === 'track' && !wasShowing));
      if (begins) {
        await until(() => [log, claims]).toEqual([log, started + 1]);
        // Only an event of a backend begins something in a tab that nobody has touched.
        if (action !== 'send') expect([log, beginner]).toEqual([log, at]);
      } else if (waits) await tab.waitForTimeout(1000);
      if (waits && claims === started + 1) {
        started++;
        isOpen = true;
        waits = false;
        await until(async () => [log, (await Promise.all(tabs.map(isShowing))).includes(true)]).toEqual([log, true]);
      }
      await until(() => [log, claims]).toEqual([log, started]);
      if (action === 'reload')
        await until(async () => [log, await isFinished()]).toEqual([log, started > 0 && !isOpen]);
      // It ends nothing if the tab has shown what was finished in the other one.
      if (action === 'finish') isOpen = !(await isFinished());
    }
    await tabs[0]?.waitForTimeout(1500);
    expect([log, claims]).toEqual([log, started]);
    expect(started).toBeGreaterThan(0);
  });
});

async function newContext() {
  const context = await harness.browser.newContext({ reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  return context;
}
