import {
  type CustomPatch,
  type EventFacts,
  type Integration,
  mergeEventFacts,
  noFacts,
  type PropertyKind,
  type SeenProperty,
  toSeenProperty,
  type Value,
} from '@usher/domain';
import type { Context } from '../../../context.ts';

/** Who sends properties. */
export interface Sender {
  integration: Integration;
  /** Whether it is a page that has not proven who its user is. */
  isUnproven?: boolean;
}

/** An event of a name, which is a sample of that name. */
interface SeenEvent {
  id: string;
  /** Its profile. */
  of: string;
}

/** Collects the properties of what one transaction stores. */
export class SeenValues {
  readonly integration: Integration;
  readonly #isUnproven: boolean;
  readonly #byKind = new Map<PropertyKind, Map<string, { value: Value | null; of: string }[]>>();
  readonly #eventNames = new Map<string, { name: string; events: SeenEvent[]; facts: EventFacts }>();

  constructor({ integration, isUnproven = false }: Sender) {
    this.integration = integration;
    this.#isUnproven = isUnproven;
  }

  /** A null value counts only if the owner `had` the property before. */
  add(kind: PropertyKind, of: string, patch: CustomPatch, had: object = {}): void {
    const props = this.#byKind.get(kind) ?? new Map<string, { value: Value | null; of: string }[]>();
    this.#byKind.set(kind, props);
    for (const prop of Object.keys(patch)) {
      const value = patch[prop] as Value | null;
      if (value === null && !Object.hasOwn(had, prop)) continue;
      const values = props.get(prop);
      if (values) values.push({ value, of });
      else props.set(prop, [{ value, of }]);
    }
  }

  addEventName(prop: string, name: string, event: SeenEvent, facts: EventFacts): void {
    const { events, facts: known } = this.#eventNames.get(prop) ?? { events: [] as SeenEvent[], facts: noFacts };
    events.push(event);
    this.#eventNames.set(prop, { name, events, facts: mergeEventFacts(known, facts) });
  }

  list(at: number): SeenProperty[] {
    const sender = { integration: this.integration, isUnproven: this.#isUnproven };
    const properties = [...this.#byKind].flatMap(([kind, props]) =>
      [...props].map(([prop, values]) => toSeenProperty({ kind, prop, ...sender, at }, values)),
    );
    for (const [prop, { name, events, facts }] of this.#eventNames) {
      const samples = events.map(({ id, of }) => ({ value: id, of }));
      properties.push(toSeenProperty({ kind: 'event_name', prop, name, ...sender, facts, at }, samples));
    }
    return properties;
  }
}

/** Runs a transaction, and registers the properties of the data that it stores. */
export async function withPropertyRegistry<T>(
  ctx: Context,
  sender: Sender,
  work: (ctx: Context, values: SeenValues) => Promise<T>,
): Promise<T> {
  return ctx.transaction(async (ctx) => {
    const values = new SeenValues(sender);
    const result = await work(ctx, values);
    const seen = values.list(ctx.now());
    const { propertyRegistry } = ctx.app;
    await propertyRegistry.register(ctx, seen);
    ctx.afterCommit(() => propertyRegistry.record(ctx.account.id, seen));
    return result;
  });
}
