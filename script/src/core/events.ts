import { safely } from '../page/safely.ts';

type Handler = (data: unknown) => void;

/** The events that a page can listen to with `usher.on`. */
export interface Events {
  on(name: string, handler: Handler): void;
  /** Without a handler, it removes all handlers of the event. */
  off(name: string, handler?: Handler): void;
  emit(name: string, data?: unknown): void;
}

export function createEvents(): Events {
  let handlers: [name: string, handler: Handler][] = [];
  return {
    on: (name, handler) => {
      if (typeof handler === 'function') handlers.push([name, handler]);
    },
    off: (name, handler) => {
      handlers = handlers.filter(([known, other]) => known !== name || (handler && handler !== other));
    },
    emit: (name, data) => {
      for (const [, handler] of handlers.filter(([known]) => known === name)) safely(() => handler(data));
    },
  };
}
