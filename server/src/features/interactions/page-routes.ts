import { Answer, Id, Nullable, OneOf, ReportsInput } from '@usher/domain';
import Type from 'typebox';
import { pageRoute } from '../../http/route.ts';
import { reportInteractions } from './report-interactions.ts';

const Reported = Answer({
  interaction: Nullable(Answer({ id: Id, state: OneOf(['started', 'completed', 'exited', 'displayed']) })),
  delivery: Type.Optional(Answer({ id: Id, triggered: Type.Boolean() })),
});
const Refused = Answer({ code: Type.Integer(), messages: Type.Array(Type.String()) });

export const interactionPageRoutes = [
  pageRoute({
    path: '/v3/observe/interactions',
    summary: 'Report what a user does with an Experience, and claim a Delivery',
    needs: 'visit',
    parameters: ReportsInput,
    example: {
      visit_token: 'the-token-of-the-visit',
      experience_id: '5fb70dcbc39330000325a818',
      state: 'started',
      href: 'https://app.example.com/dashboard',
    },
    answer: Type.Union([Reported, Answer({ items: Type.Array(Type.Union([Reported, Refused])) })]),
    run: reportInteractions,
  }),
];
