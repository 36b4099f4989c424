import {
  CreateExperience,
  Cursor,
  Experience,
  ExperienceParameters,
  experienceKinds,
  experienceListParameters,
  joinNames,
  kindOfPath,
  ListedExperience,
  listOtherKindParameters,
  OneOf,
  OutputObject,
  Text,
  UpdateExperience,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { createExperience } from './create-experience.ts';
import { deleteExperience } from './delete-experience.ts';
import { duplicateExperience } from './duplicate-experience.ts';
import { historyRoutes } from './history-routes.ts';
import { importExperience } from './import-experience.ts';
import { readKind } from './kind.ts';
import { listExperiences } from './list-experiences.ts';
import { listRoutes } from './list-routes.ts';
import { partRoutes } from './part-routes.ts';
import { presentExperience } from './present-experience.ts';
import { getAnyExperience, getExperience } from './queries.ts';
import { updateExperience } from './update-experience.ts';

/** An Experience has the name of its kind as key: `{tour: …}`. */
const OneExperience = Type.Record(Type.String(), Experience);
const listParameters = Type.Object(experienceListParameters);
const ListItem = Type.Union([Experience, ListedExperience]);
const example = {
  name: 'Welcome',
  steps: [{ title: 'Hello {{first_name}}', body: 'This is where **you** begin.', buttons: [{ text: 'Next' }] }],
};

const parametersOfOtherKinds = ({ kind: path = '' }: Readonly<Record<string, string>>) => {
  const kind = kindOfPath(path);
  return kind ? listOtherKindParameters(kind) : [];
};

export const experienceRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/experiences',
    summary: 'List Experiences of every kind',
    description: 'Each has its `kind`. The lists of single kinds are under `/v3/edit/tours` and so on.',
    parameters: Type.Object({ ...experienceListParameters, kind: Type.Optional(OneOf(experienceKinds)) }),
    output: OutputObject({ experiences: Type.Array(ListItem), cursor: Cursor }),
    run: async (ctx, params) => {
      const { rows, cursor } = await listExperiences(ctx, params);
      return { experiences: rows, cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/experiences/:id',
    summary: 'Show an Experience of any kind',
    output: OutputObject({ experience: Experience }),
    run: async (ctx, { id }) => ({ experience: await presentExperience(ctx, await getAnyExperience(ctx, id)) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind',
    summary: `Make a ${joinNames(experienceKinds, 'or')}`,
    description: 'It is a draft: users see nothing before `published_at` is set.',
    parameters: CreateExperience,
    ignored: parametersOfOtherKinds,
    example,
    inFiles: true,
    status: 201,
    output: OneExperience,
    run: async (ctx, { kind: path, ...params }) => {
      const kind = readKind(path);
      return { [kind]: await createExperience(ctx, kind, params) };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind',
    summary: 'List the Experiences of a kind',
    parameters: listParameters,
    output: Type.Record(Type.String(), Type.Union([Type.Array(ListItem), Cursor])),
    run: async (ctx, { kind: path, ...params }) => {
      const { rows, cursor } = await listExperiences(ctx, { ...params, kind: readKind(path) });
      return { [path]: rows, cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id',
    summary: 'Show an Experience',
    output: OneExperience,
    run: async (ctx, { kind: path, id }) => {
      const kind = readKind(path);
      return { [kind]: await presentExperience(ctx, await getExperience(ctx, kind, id)) };
    },
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/:kind/:id',
    summary: 'Change, publish, unpublish or archive an Experience',
    description:
      'Only what you send changes. A `published_at` of now publishes the draft, null takes it away from users. With the `updated_at` that you have seen, it is 409 with the `current` document if someone else has changed it since.',
    parameters: UpdateExperience,
    ignored: parametersOfOtherKinds,
    example: { name: 'Welcome aboard' },
    errors: [409],
    output: OneExperience,
    run: async (ctx, { kind: path, id, ...params }) => {
      const kind = readKind(path);
      return { [kind]: await updateExperience(ctx, kind, id, params) };
    },
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/:kind/:id',
    summary: 'Delete an Experience',
    description:
      '409 while another Experience starts it. To take it away from users and keep its results, archive it instead.',
    errors: [409],
    output: OneExperience,
    run: async (ctx, { kind: path, id }) => {
      const kind = readKind(path);
      return { [kind]: await deleteExperience(ctx, kind, id) };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/duplicate',
    summary: 'Make a copy of an Experience',
    description:
      'The copy is a draft with new IDs for its steps and buttons. Results and translations of the original are not touched.',
    parameters: Type.Object({ name: Type.Optional(Text('the name of the copy')) }),
    status: 201,
    output: OneExperience,
    run: async (ctx, { kind: path, id, name }) => {
      const kind = readKind(path);
      return { [kind]: await duplicateExperience(ctx, kind, id, name) };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/import',
    summary: 'Replace the whole document of an Experience',
    description:
      'What you do not send is removed. Steps and buttons whose `id` is known keep it; others get a new one.',
    parameters: ExperienceParameters,
    ignored: parametersOfOtherKinds,
    example,
    output: OneExperience,
    run: async (ctx, { kind: path, id, ...params }) => {
      const kind = readKind(path);
      return { [kind]: await importExperience(ctx, kind, id, params) };
    },
  }),
  ...listRoutes,
  ...historyRoutes,
  ...partRoutes,
];
