import {
  CreateUrl,
  Cursor,
  ExperiencePlace,
  Id,
  LastUpdate,
  MoveUrl,
  OutputObject,
  pageParameters,
  Text,
  UpdateUrl,
  UpdateUrls,
  Url,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { createUrl } from './create-url.ts';
import { listUrls } from './list-urls.ts';
import { moveUrl } from './move-url.ts';
import { showPlaces } from './show-places.ts';
import { showUrl } from './show-url.ts';
import { updateUrl } from './update-url.ts';
import { updateUrls } from './update-urls.ts';

const OneUrl = OutputObject({ url: Url });

export const urlRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/urls',
    summary: 'Add a domain',
    description: 'A domain is also added without this, switched off, when a page with the script is first seen on it.',
    parameters: CreateUrl,
    example: { host: 'app.example.com', enabled: 'on' },
    status: 201,
    errors: [409],
    output: OneUrl,
    run: async (ctx, params) => ({ url: await createUrl(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/urls',
    summary: 'List domains',
    parameters: Type.Object({
      domain: Type.Optional(Text('a domain such as `example.com`')),
      host: Type.Optional(Text('a host such as `app.example.com`')),
      ...pageParameters,
    }),
    output: OutputObject({ urls: Type.Array(Url), cursor: Cursor }),
    run: listUrls,
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/urls/batch',
    summary: 'Change several domains together',
    description:
      'All or none of them change. The response has every listed domain, even if it was in that state already.',
    operation: 'updateUrls',
    parameters: UpdateUrls,
    example: { ids: ['5fb70dcbc39330000325a817'], enabled: 'off' },
    output: OutputObject({ urls: Type.Array(Url) }),
    run: async (ctx, params) => ({ urls: await updateUrls(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/urls/:id',
    summary: 'Show a domain',
    output: OneUrl,
    run: async (ctx, { id }) => ({ url: await showUrl(ctx, id) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/urls/:id',
    runsOnFullDisk: true,
    summary: 'Change a domain',
    description:
      'On a domain that is off, users see nothing and the script is not loaded. A null `url_group_id` puts it back into the Default Environment; a null `archived_at` takes it out of the archive.',
    parameters: UpdateUrl,
    example: { enabled: 'subdomain' },
    errors: [409],
    output: OneUrl,
    run: async (ctx, { id, ...params }) => ({ url: await updateUrl(ctx, id, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/urls/:id/move',
    summary: 'Move a domain to another Environment, with Experiences',
    parameters: MoveUrl,
    example: { url_group_id: null },
    errors: [409],
    output: OutputObject({ url: Url, experience_ids: Type.Array(Id), removed_experience_ids: Type.Array(Id) }),
    run: (ctx, { id, ...params }) => moveUrl(ctx, id, params),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/urls',
    summary: 'Show which Experiences show where, and who changed domains and Environments last',
    operation: 'listUrlUses',
    output: OutputObject({
      experiences: Type.Array(ExperiencePlace),
      urls: Type.Array(LastUpdate),
      url_groups: Type.Array(LastUpdate),
    }),
    run: showPlaces,
  }),
];
