import type { StepInfo, UsherEvents } from '../index.d.ts';
import type { Cleanup } from '../kind.ts';
import { safely } from '../page/safely.ts';

/** The events that a page can listen to with `usher.on`, and the events whose listeners are hooks. */
type AllEvents = UsherEvents & { step: StepInfo };
type Handler<Name extends keyof AllEvents> = (data: AllEvents[Name]) => unknown;
type AnyHandler = (data: unknown) => unknown;

export interface Events {
  /** Adds a handler. Returns a function that removes it again. */
  on<Name extends keyof AllEvents>(name: Name, handler: Handler<Name>): Cleanup;
  once<Name extends keyof AllEvents>(name: Name, handler: Handler<Name>): Cleanup;
  /** Removes a handler; without a handler, all handlers of the event. */
  off<Name extends keyof AllEvents>(name: Name, handler?: Handler<Name>): void;
  /** Calls the handlers, and returns their results. */
  emit<Name extends keyof AllEvents>(name: Name, data: AllEvents[Name]): unknown[];
  /** Emits an event that happens once. Handlers that are added later are called too. */
  emitSticky<Name extends keyof AllEvents>(name: Name, data: AllEvents[Name]): void;
}

export function createEvents(): Events {
  type Entry = readonly [name: string, handler: AnyHandler, isOnce?: boolean];
  let entries: Entry[] = [];
  const sticky = new Map<string, unknown>();

  const remove = (entry: Entry) => {
    entries = entries.filter((other) => other !== entry);
  };
  const run = (entry: Entry, data: unknown) => {
    const [, handler, isOnce] = entry;
    if (isOnce) remove(entry);
    return safely(() => handler(data));
  };
  const add = (...entry: Entry): Cleanup => {
    const [name, handler] = entry;
    if (typeof handler === 'function') entries.push(entry);
    // The call is deferred, because the handler may call the function that is returned here.
    if (sticky.has(name)) queueMicrotask(() => entries.includes(entry) && run(entry, sticky.get(name)));
    return () => remove(entry);
  };
  const emit = (name: string, data: unknown) =>
    entries.filter(([known]) => known === name).map((entry) => run(entry, data));

  return {
    on: (name: string, handler: AnyHandler) => add(name, handler),
    once: (name: string, handler: AnyHandler) => add(name, handler, true),
    off: (name: string, handler?: AnyHandler) => {
      entries = entries.filter(([known, other]) => known !== name || (handler && handler !== other));
    },
    emit,
    emitSticky: (name: string, data: unknown) => {
      sticky.set(name, data);
      emit(name, data);
    },
  } as Events;
}
