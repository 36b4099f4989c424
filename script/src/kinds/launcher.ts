import type { Cleanup, Page, PageItem, Paint, Shown } from '../kind.ts';
import { openBox, stopAll } from '../page/box.ts';
import { icon, tick } from '../page/icon.ts';
import { register } from '../page/register.ts';

const css = `
.open{position:fixed;z-index:-1;display:flex;align-items:center;gap:8px;width:fit-content;height:fit-content;max-width:calc(100vw - 32px);padding:12px 20px;border-radius:32px;background:var(--accent);color:var(--on);box-shadow:0 1px 3px var(--shade),0 8px 24px -4px var(--shade);font-size:14px;font-weight:600}
.open:hover{filter:brightness(1.1)}
.open>svg{width:24px;height:24px;margin:2px -6px}
[data-at=top],[data-at=bottom]{inset-inline:0;margin-inline:auto}
.open[data-at=center]{inset-inline-end:16px;inset-block:0;margin-block:auto}
.left{min-width:20px;padding:0 6px;margin-inline-end:-8px;border-radius:10px;background:var(--bg);color:var(--fg);font-size:12px;line-height:20px}
svg+.left{position:absolute;top:-4px;inset-inline-end:4px;background:var(--fg);color:var(--bg)}
.list.box{max-height:min(600px,100vh - 100px)}
.list[data-at^=bottom]{bottom:80px}
.list[data-at^=top]{top:80px}
.done{display:flex;align-items:center;gap:12px;margin-top:12px;color:var(--soft);font-size:13px}
.bar{flex:1;height:6px;border-radius:3px;overflow:hidden;background:var(--line)}
.bar i{display:block;width:var(--done);height:100%;background:var(--good)}
.items{list-style:none;margin:12px -12px -12px;padding:0}
.item{position:relative;display:flex;gap:12px;padding:8px 12px;border-radius:var(--small);font-size:14px}
.item:hover{background:var(--tint)}
.item:has(:focus-visible){outline:2px solid var(--accent)}
.item a{position:relative}
.item .go{position:static;color:var(--fg);font-size:15px;font-weight:600;text-align:start;text-decoration:none;outline:0}
.go:after{content:"";position:absolute;inset:0}
.mark{display:grid;place-items:center;flex:none;width:22px;height:22px;border:2px solid var(--edge);border-radius:50%}
.mark svg{width:14px;height:14px;stroke-width:3}
.to{order:1;margin-inline-start:auto;border:0;color:var(--soft)}
.to:dir(rtl){scale:-1 1}
.is .mark{background:var(--good);border-color:var(--good);color:var(--bg)}
.is .go{color:var(--soft);font-weight:400;text-decoration:line-through}
.gap{height:1px;margin:8px 12px;background:var(--line)}`;

/** The names that `trigger` may have; any other is the first. */
const icons: Record<string, string> = {
  help: 'M9 9a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.5v.1',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10.5 21h3',
  chat: 'M4 5h16v11h-9l-4 4v-4H4z',
  star: 'M12 3l2 7l7 2l-7 2l-2 7l-2-7l-7-2l7-2z',
};
const onward = 'M9 6l6 6l-6 6';

/** A list that the user opens: from an icon or a tab of ours, or from an element of the page. */
const paint: Paint = (shown, page) => {
  page.style(css);
  const { experience } = shown;
  const at = { screen_position: experience.screen_position ?? 'bottom_right' };
  const listening: Cleanup[] = [];
  const opened: Cleanup[] = [];
  let opener: HTMLElement | undefined;

  const tell = () => {
    opener?.setAttribute('aria-expanded', String(opened.length > 0));
    if (opener && experience.trigger_type !== 'element') dress(shown, page, opener);
  };
  const close = () => {
    stopAll(opened);
    tell();
  };
  const open = () => {
    if (opened.length > 0 || !opener) return;
    shown.report({ state: 'started' });
    opened.push(openList(shown, page, opener, close));
    tell();
  };
  const arrive = (element: Element) => {
    opener = element as HTMLElement;
    listening.push(page.on(element, 'click', () => (opened.length > 0 ? close() : open())));
    tell();
    shown.report({ state: 'displayed' });
  };
  const leave = () => {
    close();
    stopAll(listening);
    opener?.removeAttribute('aria-expanded');
    opener = undefined;
  };

  const stops: Cleanup[] = [leave];
  if (experience.trigger_type === 'element') {
    stops.push(page.waitForElement({ selector: experience.trigger ?? '' }, arrive, leave));
  } else {
    const button = page.make('button', { class: 'open', type: 'button' });
    page.root().append(button);
    stops.push(page.place(button, null, at), () => button.remove());
    arrive(button);
  }
  return { stop: () => stopAll(stops), open, close };
};

/** What it opens, and of a checklist how many are left to do. */
function dress({ experience }: Shown, page: Page, button: HTMLElement): void {
  const { trigger = '', trigger_text, items, list_type } = experience;
  const isChecklist = list_type === 'checklist';
  const isTab = experience.trigger_type === 'tab';
  const left = isChecklist ? tasksIn(items).filter(({ completed }) => !completed).length : 0;
  const name = page.words(experience.title) || page.t('open');
  if (!isTab) button.setAttribute('aria-label', left ? `${name} ${left}` : name);
  const path = (Object.hasOwn(icons, trigger) && icons[trigger]) || (isChecklist ? icons.list : icons.help) || '';
  button.replaceChildren(...(isTab ? [...page.write(trigger_text), ' '] : [icon(path)]));
  if (left) button.append(page.make('span', { class: 'left' }, String(left)));
}

/** What can be completed. */
function tasksIn(items: PageItem[] = []): PageItem[] {
  return items.filter(({ kind }) => kind === 'tour' || kind === 'survey');
}

function openList(shown: Shown, page: Page, opener: Element, close: () => void): Cleanup {
  const { id, title, description, items = [], list_type, ...experience } = shown.experience;
  const tasks = list_type === 'checklist' ? tasksIn(items) : [];
  const middle: Node[] = [];
  if (tasks.length > 0) middle.push(drawProgress(page, tasks, page.words(title)));
  const rows = items.flatMap((item) => drawItem(shown, page, item, tasks.includes(item), close) ?? []);
  middle.push(
    rows.length > 0
      ? page.make('ul', { class: 'items' }, ...rows)
      : page.make('div', { class: 'body' }, ...page.write(experience.empty_state_content)),
  );
  const step = {
    id,
    title: title ?? experience.trigger_text ?? [page.t('open')],
    ...(description && { body: description }),
    screen_position: experience.screen_position ?? 'bottom_right',
  };
  const target = experience.position_type === 'snap_to_trigger' ? opener : null;
  return openBox(page, step, target, { name: 'list', middle, close, opener, enter: true }).stop;
}

function drawProgress(page: Page, tasks: PageItem[], name: string): HTMLElement {
  const done = tasks.filter(({ completed }) => completed).length;
  const values = { 'aria-valuenow': `${done}`, 'aria-valuemin': '0', 'aria-valuemax': `${tasks.length}` };
  const bar = page.make('div', { class: 'bar', role: 'progressbar', 'aria-label': name, ...values }, page.make('i'));
  bar.style.setProperty('--done', `${(100 * done) / tasks.length}%`);
  return page.make('div', { class: 'done' }, bar, page.make('span', {}, `${done} / ${tasks.length}`));
}

function drawItem(
  shown: Shown,
  page: Page,
  item: PageItem,
  isTask: boolean,
  close: () => void,
): HTMLElement | undefined {
  const { kind, completed, description } = item;
  if (kind === 'divider') return page.make('li', { class: 'gap', 'aria-hidden': 'true' });
  const go = drawLink(page, item);
  if (!go) return undefined;
  go.classList.add('go');
  page.on(go, 'click', (event) => {
    shown.report({ button_id: item.id });
    // A link in a new tab or window is the browser's own affair.
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (!kind && (ctrlKey || metaKey || shiftKey)) return;
    event.preventDefault();
    start(shown, item, close);
  });
  const isDone = isTask && completed;
  if (isDone) go.setAttribute('aria-label', `${page.words(item.title)} (${page.t('completed')})`);
  const mark = page.make('span', { class: isTask ? 'mark' : 'mark to' });
  if (isDone || !isTask) mark.append(icon(isTask ? tick : onward));
  const words = page.make('div', {}, go);
  if (description) words.append(page.make('div', { class: 'body' }, ...page.write(description)));
  return page.make('li', { class: isDone ? 'item is' : 'item' }, mark, words);
}

/** A link where it leads to a page; undefined where that address is not allowed. */
function drawLink(page: Page, { kind, url, title = [] }: PageItem): HTMLElement | undefined {
  if (kind) return page.make('button', { type: 'button' }, ...page.write(title));
  const [link] = url ? page.write([['a', { href: url }, ...title]]) : [];
  return link instanceof HTMLElement ? link : undefined;
}

function start(shown: Shown, { kind, url, campaign_id, action_script }: PageItem, close: () => void): void {
  close();
  if (kind === 'script') shown.code(action_script ?? '');
  else if (kind) shown.show(campaign_id ?? '', { group_kind: 'launcher', group_id: shown.experience.id });
  else if (url) shown.go(url);
}

register('launcher', paint);
