import { type Property, propertyKinds, type UpdateProperty } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentProperty } from './present-property.ts';
import { updateName } from './update-name.ts';

export async function updateProperty(ctx: Context, id: string, params: UpdateProperty): Promise<Property> {
  return presentProperty(await updateName(ctx, { kinds: propertyKinds, what: 'Property' }, id, params));
}
