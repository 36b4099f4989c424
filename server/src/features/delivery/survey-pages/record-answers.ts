import {
  ANONYMOUS_PREFIX,
  compileReader,
  isOneOf,
  type ReportsInput,
  SurveyAnswersInput,
  toBrowser,
} from '@usher/domain';
import { ApiError, invalid, limited } from '../../../errors.ts';
import type { ReportBudget } from '../../../pages/report-budget.ts';
import { readSurveyLink, readSurveyPage } from '../../../pages/survey-link.ts';
import { createReportChecker } from '../interactions/check-report.ts';
import { reportInteractions } from '../interactions/report-interactions.ts';
import { findPageProfile } from '../visits/find-page-profile.ts';
import { createRespondent } from './create-respondent.ts';
import { type OpenSurvey, surveyPageUrl } from './find-survey.ts';

interface PageFacts {
  acceptLanguage: string | undefined;
  userAgent: string | undefined;
  reportBudget: ReportBudget;
}

const read = compileReader<SurveyAnswersInput>(SurveyAnswersInput);
const states = ['started', 'completed', 'exited'] as const;

/**
 * Records what somebody answers on the public page of a survey: as the user whom the signed link names, or as an anonymous user, who gets a
 * profile with the first answer.
 */
export async function recordAnswers(survey: OpenSurvey, params: unknown, facts: PageFacts): Promise<object> {
  const { ctx, account, experience, key } = survey;
  const now = ctx.now();
  const reading = read(params, now);
  if ('problems' in reading) throw invalid(...reading.problems);
  const { page, link: text, language, items } = reading.value;
  const opened = readSurveyPage(page, account.visitKey, key, now);
  const link = text === undefined ? undefined : readSurveyLink(text, account, key, now);
  const problems: string[] = [];
  const browser = toBrowser(
    { browser: language === undefined ? null : { l: language } },
    facts.acceptLanguage,
    problems,
  );
  const reports = items.map((item) => toReport(survey, item, problems));
  if (problems.length > 0) throw invalid(...problems);

  const isProven = link !== undefined;
  const { disk, pageCounts } = ctx.app;
  disk.requireSpace();
  // A page of the product shows nothing when the quota is used up. Here, somebody must learn that the answer is not stored.
  const hasRoom = (what: 'responses' | 'reports') =>
    pageCounts.hasRoom(account.id, what) && pageCounts.hasBytesOfSurvey(account.id, what, experience.id);
  if (!isProven && !(hasRoom('responses') && hasRoom('reports')))
    throw limited('survey', 'There were very many answers today: try again tomorrow', 0);
  const uid = link?.uid ?? `${ANONYMOUS_PREFIX}${opened.respondent}`;
  const found = await findPageProfile(ctx, uid);
  const rejected = found ? undefined : await findRejections(survey, reports);
  if (rejected) return { items: rejected };
  const profileId = found?.row.id ?? (await createRespondent(survey, uid, browser, isProven));
  const visit = { accountId: account.id, profileId, at: opened.openedAt, nonce: opened.nonce, isProven };
  const { reportBudget, userAgent } = facts;
  return reportInteractions(
    { ctx, account, visit, host: undefined, userAgent, reportBudget },
    { items: reports } as unknown as ReportsInput,
    { id: link?.id ?? opened.respondent, experienceId: experience.id },
  );
}

/** Nothing is stored before an answer: returns why each report is rejected if none of them has an answer that fits. */
async function findRejections({ ctx, account }: OpenSurvey, reports: readonly Record<string, unknown>[]) {
  const check = createReportChecker(ctx, account);
  const rejected: Pick<ApiError, 'code' | 'messages'>[] = [];
  for (const report of reports) {
    try {
      await check(report);
      if (report.response != null) return undefined;
      rejected.push({ code: 422, messages: ['Nothing is stored before an answer: send `response`'] });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      rejected.push({ code: error.code, messages: error.messages });
    }
  }
  return rejected;
}

/** A report as of a page of the product. It says nothing about other Experiences, and its address has no link in it. */
function toReport(survey: OpenSurvey, item: Record<string, unknown>, problems: string[]): Record<string, unknown> {
  const { state = null, step_id, button_id, response } = item;
  if (state !== null && !isOneOf(states, state)) problems.push(`\`state\` must be one of ${states.join(', ')}`);
  const group_kind = state === 'started' ? 'link' : null;
  const href = surveyPageUrl(survey);
  return { experience_id: survey.experience.id, state, step_id, button_id, response, group_kind, href };
}
