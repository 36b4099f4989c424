import { SentVisit, VisitAnswer } from '@usher/domain';
import { pageRoute } from '../../http/route.ts';
import { recordVisit } from './record-visit.ts';

export const visitRoutes = [
  pageRoute({
    path: '/v3/observe/visits',
    summary: 'Load a page: identify the user, record the visit, and decide what to show',
    needs: 'account',
    bySecret: ({ explain }) => explain,
    parameters: SentVisit,
    example: {
      account_token: 'the-public-token',
      uid: '18821',
      email: 'ann@example.com',
      properties: { plan: 'pro' },
      company: { uid: '931' },
      href: 'https://app.example.com/dashboard',
      browser: { x: 1440, tz: -8, l: 'pt-BR', n: 'chrome', k: 'desktop' },
    },
    answer: VisitAnswer,
    run: recordVisit,
  }),
];
