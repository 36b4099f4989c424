import { checkResponses, surveyPageTexts } from '@usher/domain';
import { noInteractions } from '../../../db/page-profile/page-profile.ts';
import { readSurveyLink, signSurveyPage } from '../../../pages/survey-link.ts';
import { findLinkResponse } from '../interactions/find-link-response.ts';
import { buildDecisionInput } from '../visits/build-decision-input.ts';
import { findPageProfile } from '../visits/find-page-profile.ts';
import { newPageProfile } from '../visits/new-page-profile.ts';
import { presentContent, presentLabels, presentThemes } from '../visits/present-contents.ts';
import { notOpen, type OpenSurvey, surveyPageUrl } from './find-survey.ts';

interface PageParams {
  link: string | undefined;
  language: string | null;
}

/** Returns what the public page paints, as JSON; undefined if the answer of this link is there already. Nothing is stored. */
export async function showSurveyPage(survey: OpenSurvey, { link: text, language }: PageParams) {
  const { ctx, account, experience, key } = survey;
  const now = ctx.now();
  const link = text === undefined ? undefined : readSurveyLink(text, account, key, now);
  const found = link && (await findPageProfile(ctx, link.uid));
  const response =
    found && link && (await findLinkResponse(ctx, found.row.id, { id: link.id, experienceId: experience.id }));
  if (response && response.finished_at !== null) return undefined;
  const { row, company } = found ?? newPageProfile(ctx, link?.uid ?? '');
  const pageProfile = { row: { ...row, browser_l: language, delivery_ids: [] }, company, interactions: noInteractions };
  const data = await buildDecisionInput(ctx, account, pageProfile, {
    ...{ now, href: surveyPageUrl(survey), host: undefined },
    isWithheld: link === undefined,
  });
  // Who has begun to answer may finish.
  if (!response && checkResponses(experience, data.input, account)) throw notOpen();
  const content = presentContent(experience, pageProfile, data);
  const page = signSurveyPage(account.visitKey, key, now);
  const texts = JSON.stringify(surveyPageTexts(language));
  const rest = `${presentLabels(pageProfile)}${presentThemes(account, [experience], data)}`;
  return `{"experience":${content},"page":"${page}","texts":${texts}${rest}}`;
}
