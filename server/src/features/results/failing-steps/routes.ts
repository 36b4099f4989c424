import { FailingStep, ListFailingSteps, OutputObject } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listFailingSteps } from './list-failing-steps.ts';

export const failingStepRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/failing_steps',
    summary: 'List the steps of live Experiences whose element most people do not find',
    parameters: ListFailingSteps,
    output: OutputObject({ failing_steps: Type.Array(FailingStep) }),
    run: async (ctx, params) => ({ failing_steps: (await listFailingSteps(ctx, params)).map(({ step }) => step) }),
  }),
];
