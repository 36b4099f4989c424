import type { Cleanup, Ui } from '../kind.ts';
import { moveIntoModal } from '../page/move-into-modal.ts';
import { runAll } from '../page/run-all.ts';
import type { Entry, Snapshot } from './collect.ts';
import css from './debug.css';
import type { Explanations } from './explanations.ts';
import { createOutline } from './outline.ts';
import { formatReport } from './report.ts';

/** How the developer has arranged the panel. */
export interface PanelState {
  /** Whether the panel is at the other side of the window. */
  moved?: boolean;
  folded?: boolean;
}

export interface Panel {
  readonly ui: Ui;
  readonly state: PanelState;
  update(snapshot: Snapshot, explanations: Explanations): void;
  /** Moves the focus into the panel, unless the user is somewhere in the page. */
  focus(): void;
  stop: Cleanup;
}

interface PanelActions {
  show(id: string): void;
  onState(state: PanelState): void;
  close(): void;
}

const icons = {
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  move: 'M4 8h15l-4-4M20 16H5l4 4',
  fold: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
};

export function createPanel(ui: Ui, state: PanelState, actions: PanelActions): Panel {
  ui.addStyle(css);
  const outline = createOutline(ui);
  const cleanups: Cleanup[] = [outline.hide];
  let report = '';

  const tool = (icon: keyof typeof icons, label: string, onClick: () => void) => {
    const button = ui.button('debug-tool', [ui.icon(icons[icon])], onClick);
    button.ariaLabel = button.title = label;
    return button;
  };
  const applyState = () => {
    panel.toggleAttribute('data-moved', !!state.moved);
    fold.ariaExpanded = `${!state.folded}`;
    content.hidden = !!state.folded;
  };
  const toggle = (name: keyof PanelState) => () => {
    state[name] = !state[name];
    applyState();
    actions.onState(state);
  };

  const summary = ui.create('span', { class: 'debug-sum' });
  const fold = tool('fold', 'Details', toggle('folded'));
  const problem = ui.create('p', { class: 'debug-problem' });
  const list = ui.create('ul');
  const hint = ui.create('p', { class: 'debug-note' });
  const requests = createSection(ui, 'Requests', 'ol');
  const user = createSection(ui, 'User', 'dl');
  const script = createSection(ui, 'Page and script', 'dl');
  const content = ui.create(
    'div',
    { class: 'debug-in', tabindex: '0', role: 'group', 'aria-label': 'Details' },
    ...[problem, ui.create('h3', {}, 'Experiences'), list, hint, requests.element, user.element, script.element],
  );
  const bar = ui.create(
    'div',
    { class: 'debug-bar' },
    ui.create('h2', {}, 'Usher'),
    summary,
    tool('copy', 'Copy report', () => void copyReport()),
    tool('move', 'Move to the other side', toggle('moved')),
    fold,
    tool('close', 'Close (Escape)', actions.close),
  );
  const panel = ui.create(
    'div',
    { class: 'debug', role: 'region', 'aria-label': 'Usher debug', tabindex: '-1' },
    bar,
    content,
  );

  const copyReport = async () => {
    try {
      await navigator.clipboard.writeText(report);
      setText(summary, 'Copied');
      ui.announce('Copied');
    } catch {
      // The page is not secure, or its policy denies the clipboard, so the developer copies the text by hand.
      const text = ui.create('textarea', { class: 'debug-report', readonly: '', 'aria-label': 'Report' }, report);
      content.querySelector('.debug-report')?.remove();
      content.prepend(text);
      text.select();
    }
  };

  const rows = new Map<string, Row>();
  const updateRows = (entries: Entry[]) => {
    const keyOf = ({ key, name }: Entry) => key + name;
    const keys = entries.map(keyOf);
    for (const [key, row] of rows) if (!keys.includes(key) && rows.delete(key)) row.element.remove();
    entries.forEach((entry, index) => {
      const row = rows.get(keyOf(entry)) ?? createRow(ui, entry, outline, actions.show);
      rows.set(keyOf(entry), row);
      row.update(entry);
      // A row that is already at its place is not inserted again, because it would lose the focus.
      if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] ?? null);
    });
  };

  applyState();
  ui.root().append(panel);
  cleanups.push(
    () => panel.remove(),
    ui.on(panel, 'keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Escape') return;
      event.preventDefault();
      actions.close();
    }),
  );
  return {
    ui,
    state,
    update: (snapshot, explanations) => {
      const { entries } = snapshot;
      report = formatReport(snapshot);
      const count = (wanted: Entry['state']) => entries.filter((entry) => entry.state === wanted).length;
      setText(summary, `${count('showing')} showing, ${count('waiting')} waiting`);
      setText(problem, snapshot.problem);
      updateRows(entries);
      setText(hint, hintFor(explanations, entries.length));
      requests.update(snapshot.requests.map((line) => ['li', line]));
      user.update(toTerms(snapshot.user));
      script.update(toTerms(snapshot.script));
      moveIntoModal(ui, panel);
    },
    focus: () => {
      if (document.activeElement === document.body) cleanups.push(ui.focus(panel, true));
    },
    stop: () => runAll(cleanups),
  };
}

function hintFor({ token, error, byId }: Explanations, count: number): string {
  if (error) return `The debug token does not help: ${error}`;
  if (token)
    return byId ? 'Drafts and archived Experiences are not listed.' : 'Asking the server about the other Experiences…';
  return `${count > 0 ? '' : 'The server sent nothing for this user on this page. '}To see why others do not show, make a token with “npx usher debug-token” and call usher.debug(token).`;
}

type Line = [name: 'li' | 'dt' | 'dd', text: string];

function toTerms(values: [string, string][]): Line[] {
  return values.flatMap(([name, value]): Line[] => [
    ['dt', name],
    ['dd', value],
  ]);
}

/** Returns a function that replaces the lines of a list if they have changed. */
function createUpdate(ui: Ui, list: HTMLElement): (lines: Line[]) => void {
  let last = '';
  return (lines) => {
    const next = JSON.stringify(lines);
    if (next !== last) list.replaceChildren(...lines.map(([name, text]) => ui.create(name, {}, text)));
    last = next;
  };
}

/** A part of the panel that the developer can open. */
function createSection(ui: Ui, title: string, listName: 'ol' | 'dl') {
  const list = ui.create(listName);
  return { element: ui.create('details', {}, ui.create('summary', {}, title), list), update: createUpdate(ui, list) };
}

interface Row {
  element: HTMLElement;
  update(entry: Entry): void;
}

const stateNames = { showing: 'Showing', waiting: 'Waiting', off: 'Does not show' };

function createRow(
  ui: Ui,
  { id, kind, name }: Entry,
  outline: ReturnType<typeof createOutline>,
  show: (id: string) => void,
): Row {
  let targets: Element[] = [];
  const state = ui.create('span', { class: 'debug-state' });
  const notes = ui.create('ul', { class: 'debug-note' });
  const updateNotes = createUpdate(ui, notes);
  const button = (text: string, onClick: () => void) => {
    const created = ui.button('debug-go', [text], onClick);
    created.ariaLabel = `${text}: ${name}`;
    return created;
  };
  const find = button('Find element', () => targets[0] && ui.scrollIntoView(targets[0]));
  const element = ui.create(
    'li',
    { class: 'debug-entry' },
    ...[state, ui.create('strong', {}, name), ui.create('div', { class: 'debug-note' }, `${kind} ${id}`), notes],
    ...[button('Show now', () => show(id)), find],
  );
  const showOutline = () => outline.show(() => targets, name);
  for (const type of ['pointerenter', 'focusin']) ui.on(element, type, showOutline);
  for (const type of ['pointerleave', 'focusout']) ui.on(element, type, outline.hide);
  return {
    element,
    update: (entry) => {
      targets = entry.targets;
      element.dataset.state = entry.state;
      setText(state, stateNames[entry.state]);
      find.hidden = !targets[0];
      updateNotes(entry.notes.map((note) => ['li', note]));
    },
  };
}

/** Changes a text only if it differs, since screen readers and the selection notice each change. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
