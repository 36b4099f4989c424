import {
  Button,
  ButtonParameters,
  type ExperienceKind,
  experienceKinds,
  ItemParameters,
  kinds,
  ListItem,
  OutputObject,
  type PartFields,
  pathOfKind,
  Step,
  StepParameters,
} from '@usher/domain';
import Type, { type TSchema } from 'typebox';
import { route } from '../../http/route.ts';
import { readKind } from './kind.ts';
import { createButton, createPart, listParts, showButton, showPart, updateButton, updatePart } from './write-part.ts';

/** Steps, launcher items and Buttons one by one. */
export const partRoutes = [
  ...buildPartRoutes('steps', 'step', 'Step', StepParameters, Step, { title: 'And then' }),
  ...experienceKinds
    .filter((kind) => kinds[kind].parts === 'items')
    .flatMap((kind) =>
      buildPartRoutes('items', 'item', `${kind} item`, ItemParameters, ListItem, { title: 'Help', url: '/help' }, kind),
    ),
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
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/steps/:step_id/buttons/:button_id',
    summary: 'Show a Button',
    output: OutputObject({ button: Button }),
    run: async (ctx, { kind, id, step_id, button_id }) => ({
      button: await showButton(ctx, readKind(kind), id, step_id, button_id),
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

/**
 * Builds the endpoints of steps or items. Items have a `kind` of their own, so the kind of their Experience is in the
 * path itself.
 */
function buildPartRoutes(
  list: 'steps' | 'items',
  one: string,
  name: string,
  parameters: TSchema,
  output: TSchema,
  example: Record<string, unknown>,
  itemsOf?: ExperienceKind,
) {
  const path = `/v3/edit/${itemsOf ? pathOfKind(itemsOf) : ':kind'}/:id/${list}`;
  const partPath = `${path}/:part_id`;
  const One = OutputObject({ [one]: output });
  const read = (params: unknown) => {
    const { id, part_id, ...rest } = params as PartFields & { id: string; part_id: string };
    if (itemsOf) return { kind: itemsOf, id, part_id, part: rest };
    const { kind, ...part } = rest;
    return { kind: readKind(String(kind)), id, part_id, part };
  };
  return [
    route({
      methods: ['GET'],
      path,
      summary: `List the ${list} of an Experience`,
      output: OutputObject({ [list]: Type.Array(output) }),
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
