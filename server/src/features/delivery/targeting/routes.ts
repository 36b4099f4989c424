import { Audience, ExplainInput, Explanation, OutputObject, PublishCheck } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { readKind } from '../../experiences/kind.ts';
import { checkPublish } from './check-publish.ts';
import { countAudience } from './count-audience.ts';
import { explainExperience } from './explain-experience.ts';

/** Who sees an Experience. */
export const targetingRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/explanations',
    showsPeople: true,
    summary: 'Explain whether a user sees the draft and the live version of an Experience on a page',
    description: 'Each condition comes with whether it holds. Nothing is shown and nothing is recorded.',
    operation: 'explain{Kind}',
    permission: 'read',
    parameters: ExplainInput,
    example: { uid: '18821', href: 'https://app.example.com/dashboard' },
    output: OutputObject({ explanation: Explanation }),
    run: async (ctx, { kind, id, ...params }) => ({
      explanation: await explainExperience(ctx, readKind(kind), id, params),
    }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/:kind/:id/audience',
    showsPeople: true,
    summary: 'Count the users that the draft and the live version of an Experience are for',
    description: 'An account runs one count at a time.',
    operation: 'count{Kind}Audience',
    permission: 'read',
    output: OutputObject({ audience: Audience }),
    run: async (ctx, { kind, id }) => ({ audience: await countAudience(ctx, readKind(kind), id) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/:kind/:id/publish_check',
    summary: 'Check what would happen if the draft of an Experience was published now',
    operation: 'check{Kind}Publish',
    errors: [422],
    output: OutputObject({ publish_check: PublishCheck }),
    run: async (ctx, { kind, id }) => ({ publish_check: await checkPublish(ctx, readKind(kind), id) }),
  }),
];
