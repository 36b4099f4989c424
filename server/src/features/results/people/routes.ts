import { Cursor, Nullable, OneOf, OutputObject, pageParameters, resultPeople, Segment, Text } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { readKind } from '../../experiences/kind.ts';
import { exportPeople } from './export-people.ts';
import { listPeople } from './list-people.ts';
import { savePeople } from './save-people.ts';

const example = { what: 'started' as const };

export const resultPeopleRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/people',
    showsPeople: true,
    summary: 'List the people whom a number of the results counts',
    description:
      '`what` is the number, and `part_id` its step, button or item. A page can have fewer people than `limit`: go on while `cursor.before` is not null.',
    operation: 'list{Kind}People',
    parameters: Type.Object({ ...resultPeople, ...pageParameters }),
    example,
    output: OutputObject({ people: Type.Array(NamedProfile), is_complete: Type.Boolean(), cursor: Cursor }),
    run: (ctx, { kind, id, ...params }) => listPeople(ctx, readKind(kind), id, params),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/people.:format',
    showsPeople: true,
    summary: 'Download the people whom a number of the results counts as CSV',
    operation: 'download{Kind}People',
    parameters: Type.Object({ ...resultPeople, format: OneOf(['csv']) }),
    example,
    output: Type.Unknown(),
    mediaTypes: ['text/csv'],
    run: (ctx, { kind, id, format: _, ...params }) => exportPeople(ctx, readKind(kind), id, params),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/people',
    showsPeople: true,
    summary: 'Save the people whom a number of the results counts as a Segment',
    description:
      'The Segment has these people as they are counted now, and nobody is added later. They are tagged in the background, so it takes a moment until all are in it. `people_count` is null in the response to a repeat with the same `Idempotency-Key`.',
    operation: 'save{Kind}People',
    parameters: Type.Object({ ...resultPeople, name: Text('the name of the Segment') }),
    example: { ...example, name: 'Started the tour in April' },
    status: 201,
    errors: [404, 409],
    output: OutputObject({ segment: Segment, people_count: Nullable(Type.Integer()) }),
    run: (ctx, { kind, id, ...params }) => savePeople(ctx, readKind(kind), id, params),
  }),
];
