import type { PageExperience, Paint, Painted } from '../src/kind.ts';
import type { Backstage, Running, Stage } from '../src/stage.ts';

/*
 * In the page: in place of the core, something that shows what a test tells it to and keeps what the kinds ask of it. The
 * stage and the kinds are the real ones.
 */

const parts: Record<string, unknown> = {};
const calls: unknown[] = [];
const running = new Map<Running, Painted>();
let stage: Stage | undefined;

function stop(one: Running): void {
  const painted = running.get(one);
  running.delete(one);
  painted?.stop();
}

const back: Backstage = {
  config: {} as Backstage['config'],
  isHere: () => true,
  ask: () => true,
  report: (_, item) => calls.push(item),
  at: () => {},
  end: (one, state, item) => {
    calls.push({ ...item, state });
    stop(one);
  },
  show: (id, from) => calls.push({ show: id, ...from }),
  track: (name) => calls.push({ track: name }),
  visit: () => calls.push({ visit: true }),
};

const kinds = {
  calls,
  show: (experience: PageExperience, options?: unknown) => {
    stage ??= (parts.stage as (back: Backstage) => Stage)(back);
    const one: Running = {
      ...{ experience, options },
      extras: parts.extras as Running['extras'],
      toFunction: parts.scripts as Running['toFunction'],
    };
    running.set(one, stage.paint(one, parts[experience.kind] as Paint));
  },
  open: () => [...running.values()].at(-1)?.open?.(),
  clear: () => [...running.keys()].forEach(stop),
};
export type Kinds = typeof kinds;

Object.assign(window, {
  usher: { kind: (name: string, part: unknown) => Object.assign(parts, { [name]: part }) },
  kinds,
});
