import type { Action } from './bar.ts';
import { describe } from './describe.ts';
import type { Flow } from './flow.ts';
import { isForeignFrame } from './neighbors.ts';
import { startPicking } from './pick.ts';

const KEYS =
  'A click or Enter picks it. Arrow up and down: parent and child; left and right: neighbors. Hold Alt to use the page. Escape ends.';
const FRAME = 'The frame shows a page of another origin. Only the frame itself can be picked.';
const USING = 'You are using the page. Open what you need, then let go of Alt or press the button again.';

interface PointOptions {
  title: string;
  /** What is shown above the name of the chosen element. */
  content?: HTMLElement[];
  actions: Action[];
  onPick(element: Element): void;
}

/** Shows a screen in which the administrator points at an element, with the pointer or the arrow keys. */
export function point(flow: Flow, { title, content = [], actions, onPick }: PointOptions): void {
  const { ui, bar, end, endAction } = flow;
  flow.picking?.stop();
  const chosen = ui.create('span', { class: 'pick-chosen' }, 'Nothing yet');
  const chooser = ui.create(
    'div',
    // With this role, screen readers pass the arrow keys on.
    { role: 'application', tabindex: '0', 'data-focus': '', 'aria-label': 'Choose an element with the arrow keys' },
    chosen,
  );
  const use: Action = {
    ...{ label: 'Use the page', isToggle: true },
    onClick: ({ ariaPressed }) => flow.picking?.usePage(ariaPressed === 'true'),
  };
  bar.show({ title, content: [...content, chooser], note: KEYS, actions: [use, ...actions, endAction] });
  flow.picking = startPicking(ui, {
    onChoose: (element, byKey) => {
      chosen.textContent = element ? describe(element) : 'Nothing yet';
      if (!element) return;
      const note = isForeignFrame(element) ? FRAME : KEYS;
      bar.setNote(note);
      if (byKey) ui.announce(note === FRAME ? `${describe(element)}. ${FRAME}` : describe(element));
    },
    onUse: (isUsed) => bar.setNote(isUsed ? USING : KEYS),
    onPick,
    onEnd: end,
  });
}
