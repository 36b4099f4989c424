import { Id, Nullable, OneOf, OutputObject, ReportsInput } from '@usher/domain';
import Type from 'typebox';
import { pageRoute } from '../../../pages/page-route.ts';
import { reportInteractions } from './report-interactions.ts';

const AcceptedReport = OutputObject({
  interaction: Nullable(OutputObject({ id: Id, state: OneOf(['started', 'completed', 'exited', 'displayed']) })),
  delivery: Type.Optional(OutputObject({ id: Id, triggered: Type.Boolean() })),
  start: Type.Optional(OutputObject({ triggered: Type.Boolean() })),
});
const RejectedReport = OutputObject({ code: Type.Integer(), messages: Type.Array(Type.String()) });

export const interactionPageRoutes = [
  pageRoute({
    path: '/v3/observe/interactions',
    summary: 'Report what a user does with an Experience, and claim a Delivery',
    operation: 'reportInteraction',
    needs: 'visit',
    parameters: ReportsInput,
    example: {
      visit_token: 'the-token-of-the-visit',
      experience_id: '5fb70dcbc39330000325a818',
      state: 'started',
      href: 'https://app.example.com/dashboard',
    },
    output: Type.Union([
      AcceptedReport,
      OutputObject({ items: Type.Array(Type.Union([AcceptedReport, RejectedReport])) }),
    ]),
    run: reportInteractions,
  }),
];
