import { CreateUrlGroup, Cursor, OutputObject, pageParameters, UpdateUrlGroup, UrlGroup } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { createUrlGroup } from './create-url-group.ts';
import { listUrlGroups } from './list-url-groups.ts';
import { presentUrlGroup } from './present-url-group.ts';
import { getUrlGroup } from './queries.ts';
import { updateUrlGroup } from './update-url-group.ts';

/** Clients read an Environment under either name. */
const OneUrlGroup = OutputObject({ url_group: UrlGroup, url: UrlGroup });
const underBothNames = (group: UrlGroup) => ({ url_group: group, url: group });

export const urlGroupRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/url_groups',
    summary: 'Add an Environment',
    parameters: CreateUrlGroup,
    example: { name: 'Staging', short_name: 'STG', style_short_name_color: '1E90FF' },
    inFiles: true,
    status: 201,
    output: OneUrlGroup,
    run: async (ctx, params) => underBothNames(await createUrlGroup(ctx, params)),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/url_groups',
    summary: 'List Environments',
    description: 'The same list is there twice, as `url_groups` and as `urls`, because clients read both names.',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ url_groups: Type.Array(UrlGroup), urls: Type.Array(UrlGroup), cursor: Cursor }),
    run: async (ctx, page) => {
      const { urlGroups, cursor } = await listUrlGroups(ctx, page);
      return { url_groups: urlGroups, urls: urlGroups, cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/url_groups/:id',
    summary: 'Show an Environment',
    description: 'The same Environment is there twice, as `url_group` and as `url`.',
    output: OneUrlGroup,
    run: async (ctx, { id }) => underBothNames(presentUrlGroup(await getUrlGroup(ctx, id))),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/url_groups/:id',
    summary: 'Change, archive or unarchive an Environment',
    description: 'With `urls_action_on_archive=archive`, the domains of the Environment are archived together with it.',
    parameters: UpdateUrlGroup,
    example: { name: 'Staging EU' },
    errors: [409],
    output: OneUrlGroup,
    run: async (ctx, { id, ...params }) => underBothNames(await updateUrlGroup(ctx, id, params)),
  }),
];
