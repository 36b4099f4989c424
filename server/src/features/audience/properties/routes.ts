import { CreateProperty, ListProperties, OutputObject, Property, UpdateProperty } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { createProperty } from './create-property.ts';
import { listProperties } from './list-properties.ts';
import { showProperty } from './show-property.ts';
import { updateProperty } from './update-property.ts';

const OneProperty = OutputObject({ property: Property });

export const propertyRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/properties',
    showsPeople: true,
    summary: 'List all Properties of a kind',
    description: 'The list is complete and has no pages.',
    parameters: ListProperties,
    example: { kind: 'profile' },
    output: OutputObject({ properties: Type.Array(Property) }),
    run: async (ctx, params) => ({ properties: await listProperties(ctx, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/properties',
    summary: 'Add a Property',
    description:
      'The key `prop`, by which values are sent and filtered, is made from the name. A Property is also added when its first value arrives.',
    parameters: CreateProperty,
    example: { name: 'User Role', description: 'What the user may do', kind: 'profile' },
    status: 201,
    errors: [409],
    output: OneProperty,
    run: async (ctx, params) => ({ property: await createProperty(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/properties/:id',
    showsPeople: true,
    summary: 'Show a Property',
    output: OneProperty,
    run: async (ctx, { id }) => ({ property: await showProperty(ctx, id) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/properties/:id',
    summary: 'Rename, describe or hide a Property',
    parameters: UpdateProperty,
    example: { name: 'Role' },
    output: OneProperty,
    run: async (ctx, { id, ...params }) => ({ property: await updateProperty(ctx, id, params) }),
  }),
];
