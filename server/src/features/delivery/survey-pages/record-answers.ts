import {
  ANONYMOUS_PREFIX,
  compileReader,
  isOneOf,
  type ReportsInput,
  SurveyAnswersInput,
  toBrowser,
} from '@usher/domain';
import { invalid, limited } from '../../../errors.ts';
import type { ReportBudget } from '../../../pages/report-budget.ts';
import { readSurveyLink, readSurveyPage } from '../../../pages/survey-link.ts';
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
  if (!isProven && !(pageCounts.hasRoom(account.id, 'responses') && pageCounts.hasRoom(account.id, 'reports')))
    throw limited('survey', 'There were very many answers today: try again tomorrow', 0);
  const uid = link?.uid ?? `${ANONYMOUS_PREFIX}${opened.respondent}`;
  const found = await findPageProfile(ctx, uid);
  const profileId = found?.row.id ?? (await createRespondent(survey, uid, browser, isProven));
  const visit = { accountId: account.id, profileId, at: opened.openedAt, nonce: opened.nonce, isProven };
  const { reportBudget, userAgent } = facts;
  return reportInteractions(
    { ctx, account, visit, host: undefined, userAgent, reportBudget },
    { items: reports } as unknown as ReportsInput,
    { id: link?.id ?? opened.respondent, experienceId: experience.id },
  );
}

/** A report as of a page of the product. It says nothing about other Experiences, and its address has no link in it. */
function toReport(survey: OpenSurvey, item: Record<string, unknown>, problems: string[]): Record<string, unknown> {
  const { state = null, step_id, button_id, response } = item;
  if (state !== null && !isOneOf(states, state)) problems.push(`\`state\` must be one of ${states.join(', ')}`);
  const group_kind = state === 'started' ? 'link' : null;
  const href = surveyPageUrl(survey);
  return { experience_id: survey.experience.id, state, step_id, button_id, response, group_kind, href };
}
