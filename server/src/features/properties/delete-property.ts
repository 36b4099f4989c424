import { type Property, propertyKinds } from '@usher/domain';
import type { Context } from '../../context.ts';
import { deleteName } from './change-name.ts';
import { presentProperty } from './queries.ts';

export async function deleteProperty(ctx: Context, id: string): Promise<Property> {
  return presentProperty(await deleteName(ctx, { kinds: propertyKinds, what: 'Property' }, id));
}
