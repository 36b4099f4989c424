import {
  ExplanationsInput,
  ExplanationsOutput,
  PageInput,
  PageOutput,
  ShowInput,
  ShowOutput,
  VisitInput,
  VisitOutput,
} from '@usher/domain';
import { pageRoute } from '../../../pages/page-route.ts';
import { explainPage } from './explain-page.ts';
import { recordVisit } from './record-visit.ts';
import { showExperience } from './show-experience.ts';
import { showWithoutConsent } from './show-without-consent.ts';

export const visitRoutes = [
  pageRoute({
    path: '/v3/observe/visits',
    runsOnFullDisk: true,
    summary: 'Load a page: identify the user, record the visit, and decide what to show',
    description: 'The script calls this. The public `account_token` says which account it is.',
    operation: 'visit',
    needs: 'account',
    logsAs: 'identify',
    bySecret: ({ explain }) => explain,
    parameters: VisitInput,
    example: {
      account_token: 'the-public-token',
      uid: '18821',
      email: 'ann@example.com',
      properties: { plan: 'pro' },
      company: { uid: '931' },
      href: 'https://app.example.com/dashboard',
      browser: { x: 1440, tz: -8, l: 'pt-BR', n: 'chrome', k: 'desktop' },
    },
    output: VisitOutput,
    run: (page, params) =>
      page.bySecret
        ? recordVisit(page, params)
        : page.ctx.app.pageLoadFailures.watch(page.account.id, () => recordVisit(page, params)),
  }),
  pageRoute({
    path: '/v3/observe/pages',
    runsOnFullDisk: true,
    summary: 'Load a page of a user who has not consented: returns what needs no personal data, and stores nothing',
    operation: 'loadPageWithoutConsent',
    needs: 'account',
    parameters: PageInput,
    example: { account_token: 'the-public-token', href: 'https://app.example.com/dashboard' },
    output: PageOutput,
    run: showWithoutConsent,
  }),
  pageRoute({
    path: '/v3/observe/shows',
    runsOnFullDisk: true,
    summary: 'Ask for the content of one Experience, to show it now',
    operation: 'show',
    needs: 'visit',
    parameters: ShowInput,
    example: {
      visit_token: 'the-token-of-the-visit',
      experience_id: '5fb70dcbc39330000325a818',
      href: 'https://app.example.com/dashboard',
      once: true,
    },
    output: ShowOutput,
    run: showExperience,
  }),
  pageRoute({
    path: '/v3/observe/explanations',
    runsOnFullDisk: true,
    summary: 'Ask with a debug token why each Experience shows or not, for the user of the visit',
    operation: 'explainPage',
    needs: 'debug',
    parameters: ExplanationsInput,
    example: {
      visit_token: 'the-token-of-the-visit',
      debug_token: 'the-debug-token',
      href: 'https://app.example.com/dashboard',
    },
    output: ExplanationsOutput,
    run: explainPage,
  }),
];
