import type { ActiveExperience } from '../src/active-experience.ts';
import type { Config } from '../src/config.ts';
import { createStore } from '../src/page/store.ts';
import type { LoadedModules } from '../src/register-module.ts';
import type { Renderer } from '../src/renderer.ts';
import type { PageExperience } from '../src/wire.ts';

/*
 * Runs in the page instead of the core. It shows the Experiences of a test and records the calls of the kinds. Renderer
 * and kinds are real.
 */

const modules: Partial<LoadedModules> = {};
const calls: unknown[] = [];
const allActive = new Set<ActiveExperience>();
const config = {} as Config;
let renderer: Renderer | undefined;

function stop(active: ActiveExperience): void {
  allActive.delete(active);
  active.handle?.stop();
}

const kinds = {
  calls,
  config,
  show: (experience: PageExperience, options?: unknown, startStepId?: string) => {
    renderer ??= modules.renderer?.({
      config,
      matchesPage: () => true,
      scheduleVisit: () => calls.push({ visit: true }),
    });
    const active: ActiveExperience = {
      ...{
        experience,
        options,
        startStepId,
        extras: modules.extras,
        compileCode: modules.scripts,
        media: modules.media?.(experience),
        tourExtras: modules.tour_extras?.(experience),
      },
      ...{ hasStarted: false, isVisible: false, hasSlot: false },
      store: createStore(),
      requestSlot: () => true,
      stop: () => stop(active),
      beforeStep: () => undefined,
      saveStep: () => {},
      report: (item) => calls.push(item),
      end: (state, item) => {
        calls.push({ ...item, state });
        stop(active);
      },
      show: (id, request) => calls.push({ show: id, ...request }),
    };
    // As in script/src/core/modules.ts.
    if (/"(question|next|answer)":/.test(JSON.stringify(experience)))
      active.questions = modules.questions?.(active, 'user');
    const paint = modules[experience.kind];
    if (!renderer || !paint) throw new Error(`No renderer for ${experience.kind}`);
    allActive.add(active);
    active.handle = renderer.paint(active, paint);
  },
  open: () => [...allActive].at(-1)?.handle?.open?.(),
  clear: () => [...allActive].forEach(stop),
};
export type Kinds = typeof kinds;

Object.assign(window, {
  usher: { kind: (name: string, module: unknown) => Object.assign(modules, { [name]: module }) },
  kinds,
});
