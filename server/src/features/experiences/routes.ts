import {
  Button,
  ButtonParameters,
  CreateExperience,
  Cursor,
  Experience,
  ExperienceParameters,
  Id,
  ItemParameters,
  kindOfPath,
  ListItem,
  listOtherKindParameters,
  OutputObject,
  type PartFields,
  pageParameters,
  Step,
  StepParameters,
  Text,
  UpdateExperience,
} from '@usher/domain';
import Type, { type TSchema } from 'typebox';
import { route } from '../../http/route.ts';
import { createExperience } from './create-experience.ts';
import { deleteExperience } from './delete-experience.ts';
import { duplicateExperience } from './duplicate-experience.ts';
import { importExperience } from './import-experience.ts';
import { readKind } from './kind.ts';
import { listExperiences } from './list-experiences.ts';
import { getExperience, presentExperience } from './queries.ts';
import { revertExperience } from './revert-experience.ts';
import { updateExperience } from './update-experience.ts';
import { listVersions, showVersion, Version, VersionInFull } from './versions.ts';
import { createButton, createPart, listParts, showPart, updateButton, updatePart } from './write-part.ts';

/** Under the name of its kind: `{tour: …}`. */
const OneExperience = Type.Record(Type.String(), Experience);
const listParameters = Type.Object({ ...pageParameters, archived: Type.Optional(Type.Boolean()) });
const example = {
  name: 'Welcome',
  steps: [{ title: 'Hello {{first_name}}', body: 'This is where **you** begin.', buttons: [{ text: 'Next' }] }],
};

const ofOtherKinds = ({ kind: path = '' }: Readonly<Record<string, string>>) => {
  const kind = kindOfPath(path);
  return kind ? listOtherKindParameters(kind) : [];
};

export const experienceRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/experiences',
    summary: 'List Experiences of every kind',
    parameters: listParameters,
    output: OutputObject({ experiences: Type.Array(Experience), cursor: Cursor }),
    run: async (ctx, asked) => {
      const { rows, cursor } = await listExperiences(ctx, undefined, asked);
      return { experiences: rows, cursor };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind',
    summary: 'Make a tour, survey, launcher, tooltip or embed',
    parameters: CreateExperience,
    ignored: ofOtherKinds,
    example,
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
    output: Type.Record(Type.String(), Type.Union([Type.Array(Experience), Cursor])),
    run: async (ctx, { kind: path, ...asked }) => {
      const { rows, cursor } = await listExperiences(ctx, readKind(path), asked);
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
    parameters: UpdateExperience,
    ignored: ofOtherKinds,
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
    parameters: ExperienceParameters,
    ignored: ofOtherKinds,
    example,
    output: OneExperience,
    run: async (ctx, { kind: path, id, ...params }) => {
      const kind = readKind(path);
      return { [kind]: await importExperience(ctx, kind, id, params) };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/revert',
    summary: 'Return an Experience to how it was after a Change, or in a version',
    parameters: Type.Object({ change_id: Type.Optional(Id), version_id: Type.Optional(Id) }),
    example: { change_id: '6af9638628e00002f7b4f708' },
    output: OneExperience,
    run: async (ctx, { kind: path, id, ...to }) => {
      const kind = readKind(path);
      return { [kind]: await revertExperience(ctx, kind, id, to) };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/versions',
    summary: 'List what was published of an Experience',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ versions: Type.Array(Version), cursor: Cursor }),
    run: (ctx, { kind, id, ...page }) => listVersions(ctx, readKind(kind), id, page),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/versions/:version_id',
    summary: 'Show a published version with its content',
    output: OutputObject({ version: VersionInFull }),
    run: async (ctx, { kind, id, version_id }) => ({ version: await showVersion(ctx, readKind(kind), id, version_id) }),
  }),
  ...partRoutes('steps', 'step', 'Step', StepParameters, Step, { title: 'And then' }),
  ...partRoutes('items', 'item', 'launcher item', ItemParameters, ListItem, { title: 'Help', url: '/help' }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/steps/:step_id/buttons',
    summary: 'Add a Button to a Step',
    parameters: ButtonParameters,
    example: { text: 'Next', tour_action: 'next' },
    status: 201,
    output: OutputObject({ button: Button }),
    run: async (ctx, { kind, id, step_id, ...params }) => ({
      button: await createButton(ctx, readKind(kind), id, step_id, params as PartFields),
    }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/:kind/:id/steps/:step_id/buttons/:button_id',
    summary: 'Change or move a Button',
    parameters: ButtonParameters,
    example: { text: 'Go on' },
    output: OutputObject({ button: Button }),
    run: async (ctx, { kind, id, step_id, button_id, ...params }) => ({
      button: await updateButton(ctx, readKind(kind), id, step_id, button_id, params as PartFields),
    }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/:kind/:id/steps/:step_id/buttons/:button_id',
    summary: 'Remove a Button',
    output: OutputObject({ button: Button }),
    run: async (ctx, { kind, id, step_id, button_id }) => ({
      button: await updateButton(ctx, readKind(kind), id, step_id, button_id, null),
    }),
  }),
];

/** Steps and items have the same endpoints. Only launchers have items, which have a `kind` of their own. */
function partRoutes(
  list: 'steps' | 'items',
  one: string,
  name: string,
  parameters: TSchema,
  output: TSchema,
  example: Record<string, unknown>,
) {
  const path = list === 'items' ? '/v3/edit/launchers/:id/items' : '/v3/edit/:kind/:id/steps';
  const partPath = `${path}/:part_id`;
  const One = Type.Record(Type.String(), output);
  const read = (params: unknown) => {
    const { id, part_id, ...rest } = params as PartFields & { id: string; part_id: string };
    if (list === 'items') return { kind: 'launcher' as const, id, part_id, part: rest };
    const { kind, ...part } = rest;
    return { kind: readKind(String(kind)), id, part_id, part };
  };
  return [
    route({
      methods: ['GET'],
      path,
      summary: `List the ${list} of an Experience`,
      output: Type.Record(Type.String(), Type.Array(output)),
      run: async (ctx, params) => {
        const { kind, id } = read(params);
        return { [list]: await listParts(ctx, kind, id, list) };
      },
    }),
    route({
      methods: ['POST'],
      path,
      summary: `Add a ${name}`,
      parameters,
      example,
      status: 201,
      output: One,
      run: async (ctx, params) => {
        const { kind, id, part } = read(params);
        return { [one]: await createPart(ctx, kind, id, list, part) };
      },
    }),
    route({
      methods: ['GET'],
      path: partPath,
      summary: `Show a ${name}`,
      output: One,
      run: async (ctx, params) => {
        const { kind, id, part_id } = read(params);
        return { [one]: await showPart(ctx, kind, id, list, part_id) };
      },
    }),
    route({
      methods: ['PUT', 'PATCH'],
      path: partPath,
      summary: `Change or move a ${name}`,
      parameters,
      example,
      output: One,
      run: async (ctx, params) => {
        const { kind, id, part_id, part } = read(params);
        return { [one]: await updatePart(ctx, kind, id, list, part_id, part) };
      },
    }),
    route({
      methods: ['DELETE'],
      path: partPath,
      summary: `Remove a ${name}`,
      output: One,
      run: async (ctx, params) => {
        const { kind, id, part_id } = read(params);
        return { [one]: await updatePart(ctx, kind, id, list, part_id, null) };
      },
    }),
  ];
}
