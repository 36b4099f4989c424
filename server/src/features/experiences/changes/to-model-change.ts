import type { ModelChange } from '@usher/domain';

/**
 * Restores the form in which a Change was recorded. A model that was created or deleted by a Change of another kind
 * than `create` and `destroy` is stored as pairs of values.
 */
export function toModelChange({
  kind,
  op,
  model_id,
  model_type,
  path,
  object,
}: ModelChange & { kind: string }): ModelChange {
  const change = { op, model_id, model_type, path };
  if (op === 'update' || kind === op) return { ...change, object };
  const side = op === 'create' ? 1 : 0;
  const scalars = Object.entries(object).map(([name, diff]) => [name, (diff as unknown[])[side]]);
  return { ...change, object: Object.fromEntries(scalars) };
}
