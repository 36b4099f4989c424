import {
  Cursor,
  GetInterruptions,
  Interruptions,
  interruptedPeople,
  Nullable,
  OneOf,
  OutputObject,
  pageParameters,
  Segment,
  Text,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { exportSelected } from '../people/export-people.ts';
import { readPeople } from '../people/list-people.ts';
import { saveSelected } from '../people/save-people.ts';
import { selectInterrupted } from './select-interrupted.ts';
import { showInterruptions } from './show-interruptions.ts';

const example = { week: '2026-11-16', least: 4, most: 5 };

export const interruptionRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/interruptions',
    summary: 'Count how many interruptions, steps and seconds people had in each week',
    description:
      'An interruption is a showing of a tour or a survey that started automatically. Weeks begin on Monday, in the time zone of the account. Test users are left out.',
    operation: 'getInterruptions',
    parameters: GetInterruptions,
    output: OutputObject({ interruptions: Interruptions }),
    run: async (ctx, params) => ({ interruptions: await showInterruptions(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/interruptions/people',
    showsPeople: true,
    summary: 'List the people who had so many interruptions, steps or seconds in a week',
    description:
      '`week` is any day of the week. A page can have fewer people than `limit`: go on while `cursor.before` is not null.',
    operation: 'listInterruptedPeople',
    parameters: Type.Object({ ...interruptedPeople, ...pageParameters }),
    example,
    output: OutputObject({ people: Type.Array(NamedProfile), is_complete: Type.Boolean(), cursor: Cursor }),
    run: async (ctx, { limit, before, after, ...params }) =>
      readPeople(ctx, await selectInterrupted(ctx, params), { limit, before, after }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/interruptions/people.:format',
    showsPeople: true,
    summary: 'Download the people who had so many interruptions, steps or seconds in a week as CSV',
    operation: 'downloadInterruptedPeople',
    parameters: Type.Object({ ...interruptedPeople, format: OneOf(['csv']) }),
    example,
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: async (ctx, { format: _, ...params }) => exportSelected(ctx, await selectInterrupted(ctx, params)),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/interruptions/people',
    showsPeople: true,
    summary: 'Save the people who had so many interruptions, steps or seconds in a week as a Segment',
    description:
      'The Segment has these people as they are counted now, and nobody is added later. They are tagged in the background, so it takes a moment until all are in it. `people_count` is null in the response to a repeat with the same `Idempotency-Key`.',
    operation: 'saveInterruptedPeople',
    parameters: Type.Object({ ...interruptedPeople, name: Text('the name of the Segment') }),
    example: { ...example, least: 0, most: 0, name: 'Never interrupted' },
    status: 201,
    errors: [409],
    output: OutputObject({ segment: Segment, people_count: Nullable(Type.Integer()) }),
    run: async (ctx, { name, ...params }) => saveSelected(ctx, await selectInterrupted(ctx, params), name),
  }),
];
