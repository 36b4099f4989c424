import { type LookPart, lookParts } from '../../../domain/src/themes/look-parts.ts';
import type { Action } from './bar.ts';
import type { PickInfo } from './exchange.ts';
import { type Flow, fail, run } from './flow.ts';
import { readLook, schemeOfPage } from './look.ts';
import { nameMaker } from './pick-words.ts';
import { point } from './point.ts';
import { waitUntilStill } from './still.ts';
import { listTaken } from './taken-list.ts';

/* The screens in which a theme is taken from the page: a button, a heading, a card and a link, once or in two color schemes. */

const wishes: Record<LookPart, string> = {
  button: 'a button that stands out',
  heading: 'a heading',
  card: 'a card, a panel or a dialog',
  link: 'a link in a text',
};

/** Says what is taken, and waits for a click. A page that was opened meanwhile continues. */
export function startTaking(flow: Flow, info: PickInfo): void {
  const { bar, exchange, endAction, deps } = flow;
  if (exchange.saved.started) takeNext(flow);
  else
    bar.show({
      title: `Take the theme “${info.theme?.name ?? ''}” from this page`,
      text: 'Point at a button, a heading, a card and a link. Usher reads their colors, fonts and shapes, and no texts.',
      note: nameMaker(info, deps.config.url),
      actions: [{ label: 'Start', onClick: () => takeNext(flow), isFirst: true }, endAction],
    });
}

const otherScheme = (scheme: 'light' | 'dark') => (scheme === 'light' ? 'dark' : 'light');

/** Continues with the first part that was neither taken nor skipped. */
function takeNext(flow: Flow): void {
  const { saved } = flow.exchange;
  flow.exchange.save({ started: true });
  const look = saved.looks?.[schemeOfPage()] ?? {};
  const next = lookParts.find((part) => !look[part] && !saved.skipped?.includes(part));
  if (next) take(flow, next);
  else if (Object.keys(saved.looks ?? {}).length === 0) showNothing(flow);
  else run(flow, () => send(flow));
}

/** Lets the administrator point at one part. */
function take(flow: Flow, part: LookPart): void {
  const { exchange, ui } = flow;
  const skip: Action = {
    label: 'Skip',
    onClick: () => {
      exchange.save({ skipped: [...new Set([...(exchange.saved.skipped ?? []), part])] });
      takeNext(flow);
    },
  };
  const title = `Point at ${wishes[part]} (${lookParts.indexOf(part) + 1} of ${lookParts.length})`;
  point(flow, {
    title,
    content: [listOf(flow, part)],
    actions: [skip],
    onPick: (element) => {
      flow.picking?.stop();
      run(flow, async () => {
        await waitUntilStill(ui, element);
        if (flow.isClosed) return;
        store(flow, part, element);
        takeNext(flow);
      });
    },
  });
  ui.announce(title);
}

function store(flow: Flow, part: LookPart, element: Element): void {
  const { exchange } = flow;
  const { looks = {}, skipped = [] } = exchange.saved;
  const scheme = schemeOfPage();
  flow.taken ??= new Map();
  flow.taken.set(part, element);
  exchange.save({
    looks: { ...looks, [scheme]: { ...looks[scheme], [part]: readLook(part, element) } },
    skipped: skipped.filter((one) => one !== part),
  });
}

/** What was taken so far, each with a button to take it again. */
function listOf(flow: Flow, current?: LookPart): HTMLElement {
  const { looks = {}, skipped = [] } = flow.exchange.saved;
  return listTaken(flow.ui, {
    ...{ look: looks[schemeOfPage()] ?? {}, skipped, current },
    onAgain: (part) => take(flow, part),
  });
}

async function send(flow: Flow): Promise<void> {
  const { bar, exchange, endAction } = flow;
  flow.picking?.stop();
  bar.show({ title: 'Sending the look of this page…', actions: [endAction] });
  const failure = await exchange.sendLooks(exchange.saved.looks ?? {});
  if (flow.isClosed) return;
  if (failure) return fail(flow, failure, () => run(flow, () => send(flow)));
  showTaken(flow);
}

/** Shows what was taken, and asks for a look at the page in its other color scheme. */
function showTaken(flow: Flow, problem = ''): void {
  const { ui, bar, exchange, endAction } = flow;
  const { looks = {} } = exchange.saved;
  const other = otherScheme(schemeOfPage());
  const isMissing = !looks[other];
  const title = isMissing ? `Taken. Does your page have a ${other} mode?` : 'Taken, in light and dark';
  const text = isMissing
    ? problem || `Switch it on in your page, then look again. Without one, go back to the tab with Usher.`
    : 'Go back to the tab with Usher to use it.';
  bar.show({
    ...{ title, text, content: [listOf(flow)] },
    actions: [
      ...(isMissing
        ? [{ label: `Look again in ${other} mode`, onClick: () => lookAgain(flow, other), isFirst: true }]
        : []),
      { ...endAction, label: 'Done' },
    ],
  });
  ui.announce(`${title} ${text}`);
}

/** Reads the same elements again. The ones that the page has replaced are pointed at again. */
function lookAgain(flow: Flow, scheme: 'light' | 'dark'): void {
  const problem = `The page does not look ${scheme} yet. Switch it to its ${scheme} mode first.`;
  run(flow, async () => {
    if (schemeOfPage() !== scheme) return showTaken(flow, problem);
    for (const [part, element] of flow.taken ?? []) {
      if (!element.isConnected) continue;
      await waitUntilStill(flow.ui, element);
      store(flow, part, element);
    }
    if (!flow.isClosed) takeNext(flow);
  });
}

function showNothing(flow: Flow): void {
  const { bar, exchange, endAction } = flow;
  const again: Action = {
    ...{ label: 'Start again', isFirst: true },
    onClick: () => {
      exchange.save({ skipped: [] });
      takeNext(flow);
    },
  };
  flow.picking?.stop();
  bar.show({ title: 'Nothing was taken', actions: [again, endAction] });
  flow.ui.announce('Nothing was taken');
}
