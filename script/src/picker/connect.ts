import { offer, pick } from './choose.ts';
import type { Answer, PickInfo } from './exchange.ts';
import { type Flow, fail, run } from './flow.ts';
import { nameMaker } from './pick-words.ts';
import { startTaking } from './take.ts';

/** Loads the pick from the server, and shows the screen for its purpose. */
export function connect(flow: Flow, ask: () => Promise<Answer>): void {
  const { bar, exchange, endAction } = flow;
  run(flow, async () => {
    bar.show({ title: 'Connecting to Usher…', actions: [endAction] });
    const answer = await ask();
    // Somebody has ended the pick meanwhile.
    if (flow.isClosed) return exchange.end();
    if ('error' in answer) return fail(flow, answer, () => connect(flow, ask));
    if (answer.pick.purpose === 'try') return tryDraft(flow, answer.pick);
    if (answer.pick.purpose === 'theme') startTaking(flow, answer.pick);
    else if (exchange.saved.started) pick(flow, answer.pick);
    else offer(flow, answer.pick);
    bar.focus();
  });
}

/** Asks for the code that the dashboard shows, on a page that was opened without a key. */
export function askForCode(flow: Flow, problem = '', typed = ''): void {
  const { ui, bar, exchange, endAction } = flow;
  const input = ui.create('input', {
    ...{ 'aria-label': 'Code', autocomplete: 'off', spellcheck: 'false', maxlength: '20' },
    ...{ placeholder: 'K7QM-2XDP', 'data-focus': '' },
  });
  // One letter may be wrong, so the code stays in the field to be corrected.
  input.value = typed;
  const form = ui.create('form', { class: 'pick-code' }, input);
  const message = ui.create('p', { class: 'pick-message' }, problem);
  const submit = () => {
    const code = input.value.trim();
    if (!code) return input.focus();
    run(flow, async () => {
      const answer = await exchange.open({ code });
      if ('error' in answer && !flow.isClosed) askForCode(flow, answer.error, code);
      else connect(flow, async () => answer);
    });
  };
  ui.on(form, 'submit', (event) => {
    event.preventDefault();
    submit();
  });
  bar.show({
    ...{ title: 'Enter the code that Usher shows', content: problem ? [message, form] : [form] },
    actions: [{ label: 'Continue', onClick: submit, isFirst: true }, endAction],
  });
  if (problem) ui.announce(problem);
  bar.focus();
}

async function tryDraft(flow: Flow, info: PickInfo): Promise<void> {
  const { ui, deps, bar, exchange, end } = flow;
  const start = await deps.scriptModules.load('try').catch(() => undefined);
  if (flow.isClosed) return;
  const error = 'A file of Usher could not be loaded.';
  if (!start) return fail(flow, { error, canRetry: true }, () => run(flow, () => tryDraft(flow, info)));
  flow.stopTrying = start(ui, {
    ...{ deps, bar, exchange, info, end, madeBy: nameMaker(info, deps.config.url) },
    fail: (failure, retry) => fail(flow, failure, retry),
    run: (work) => run(flow, work),
  });
  bar.focus();
}
