import type { ActiveExperience } from '../active-experience.ts';
import type { Cleanup, Handle, Ui } from '../kind.ts';
import { createBar } from './bar.ts';
import { askForCode, connect } from './connect.ts';
import { createExchange } from './exchange.ts';
import { type Flow, type PickerDependencies, release } from './flow.ts';

/** Opens the bar of a pick: with the key from the address, with the token of the previous page, or by asking for a code. */
export async function openPicker(deps: PickerDependencies, key: unknown): Promise<void> {
  // The snippet has left the key here. It is deleted, because the page has no use for it.
  delete (window as unknown as { usher: { p?: unknown } }).usher.p;
  const renderer = await deps.experiences.loadRenderer();
  // The renderer paints the bar like an Experience, so the bar gets the layer and its isolation. `stop` is called if
  // the bar cannot be painted.
  const active = { experience: {}, report: () => {}, stop: () => release(deps) };
  const handle: Handle = renderer.paint(active as unknown as ActiveExperience, (_, ui) => ({
    stop: runPicker(ui, deps, key, () => handle.stop()),
  }));
}

/** Leads through a pick. Returns a function that removes everything. */
function runPicker(ui: Ui, deps: PickerDependencies, key: unknown, close: () => void): Cleanup {
  const exchange = createExchange(deps);
  const end = () => {
    exchange.end();
    close();
  };
  const bar = createBar(ui, {
    moved: !!exchange.saved.moved,
    onMove: (moved) => exchange.save({ moved }),
    onEscape: end,
  });
  const flow: Flow = {
    ...{ ui, deps, bar, exchange, end, endAction: { label: 'End', onClick: end } },
    reconnect: () => connect(flow, exchange.resume),
  };
  if (typeof key === 'string') connect(flow, () => exchange.open({ key }));
  else if (exchange.saved.token) flow.reconnect();
  else askForCode(flow);
  return () => {
    flow.isClosed = true;
    flow.picking?.stop();
    flow.unmark?.();
    flow.stopTrying?.();
    bar.stop();
    release(deps);
  };
}
