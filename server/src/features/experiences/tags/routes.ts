import { CreateTag, OutputObject, Tag, UpdateTag } from '@usher/domain';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { presentTag } from './present-tag.ts';
import { getTag, tagsOf } from './queries.ts';
import { updateTag } from './update-tag.ts';

const OneTag = OutputObject({ tag: Tag });

export const tagRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/tags',
    summary: 'Make a Tag',
    parameters: CreateTag,
    example: { name: 'VIP Users' },
    status: 201,
    errors: [409],
    output: OneTag,
    run: async (ctx, params) => ({ tag: await createTag(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/tags',
    summary: 'List Tags',
    name: 'tags',
    item: Tag,
    query: tagsOf,
    present: presentTag,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/tags/:id',
    summary: 'Show a Tag',
    output: OneTag,
    run: async (ctx, { id }) => ({ tag: presentTag(await getTag(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/tags/:id',
    summary: 'Change a Tag',
    parameters: UpdateTag,
    example: { name: 'Very important users' },
    errors: [409],
    output: OneTag,
    run: async (ctx, { id, ...params }) => ({ tag: await updateTag(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/tags/:id',
    summary: 'Delete a Tag, and take it out of every Experience that has it',
    output: OneTag,
    run: async (ctx, { id }) => ({ tag: await deleteTag(ctx, id) }),
  }),
];
