import {
  type CustomPatch,
  type Integration,
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

/** Collects the properties of what one transaction stores. */
export class SeenValues {
  readonly integration: Integration;
  readonly #isUnproven: boolean;
  readonly #byKind = new Map<PropertyKind, Map<string, { value: Value | null; of: string }[]>>();
  readonly #eventNames = new Map<string, { name: string; of: string }>();

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

  addEventName(prop: string, name: string, of: string): void {
    this.#eventNames.set(prop, { name, of });
  }

  list(at: number): SeenProperty[] {
    const sender = { integration: this.integration, isUnproven: this.#isUnproven };
    const properties = [...this.#byKind].flatMap(([kind, props]) =>
      [...props].map(([prop, values]) => toSeenProperty({ kind, prop, ...sender, at }, values)),
    );
    for (const [prop, { name, of }] of this.#eventNames)
      properties.push(toSeenProperty({ kind: 'event_name', prop, name, ...sender, at }, [{ value: true, of }]));
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
