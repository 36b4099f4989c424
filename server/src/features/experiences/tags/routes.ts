import {
  CreateTag,
  Cursor,
  OutputObject,
  pageParameters,
  Tag,
  UpdatedTags,
  UpdateTag,
  UpdateTags,
} from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import { presentTag, presentTags } from '../tag-records/present-tag.ts';
import { getTag, tagsOf } from '../tag-records/queries.ts';
import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { updateTag } from './update-tag.ts';
import { updateTags } from './update-tags.ts';

const OneTag = OutputObject({ tag: Tag });

export const tagRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/tags',
    summary: 'Make a Tag',
    parameters: CreateTag,
    example: { name: 'VIP Users' },
    inFiles: true,
    status: 201,
    errors: [409],
    output: OneTag,
    run: async (ctx, params) => ({ tag: await createTag(ctx, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/tags/bulk',
    summary: 'Add Tags to several Experiences, remove or replace them',
    operation: 'updateTagsOfExperiences',
    parameters: UpdateTags,
    example: { updates: [{ model_id: '5fb70dcbc39330000325a817', model_type: 'Campaign', tag_name: '+VIP Users' }] },
    status: 200,
    errors: [404],
    output: UpdatedTags,
    run: updateTags,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/tags',
    summary: 'List Tags',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ tags: Type.Array(Tag), cursor: Cursor }),
    run: async (ctx, page) => {
      const { rows, cursor } = await listPage(tagsOf(ctx), page);
      return { tags: await presentTags(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/tags/:id',
    summary: 'Show a Tag',
    output: OneTag,
    run: async (ctx, { id }) => ({ tag: await presentTag(ctx, await getTag(ctx, id)) }),
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
