import { randomBytes } from 'node:crypto';
import { canonicalLanguage, surveyPageTexts } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { parseBody } from '../../../http/body.ts';
import type { Handler } from '../../../http/endpoint.ts';
import type { HttpRequest } from '../../../http/http-request.ts';
import { type HttpResponse, jsonResponse, responseWith } from '../../../http/http-response.ts';
import type { Limits } from '../../../http/limits.ts';
import { queryOf } from '../../../http/query-string.ts';
import { receiveBody } from '../../../http/receive.ts';
import type { HttpServer } from '../../../http/server.ts';
import type { ReportBudget } from '../../../pages/report-budget.ts';
import type { ScriptFiles } from '../../../pages/script-files.ts';
import { findSurvey } from './find-survey.ts';
import { recordAnswers } from './record-answers.ts';
import { renderMessage, renderSurvey, STYLE_HASH } from './render-survey-page.ts';
import { showSurveyPage } from './show-survey-page.ts';

const MAX_BODY = 64 * 1024;

interface SurveyPageDependencies {
  app: AppContext;
  limits: Limits;
  reportBudget: ReportBudget;
  bodyTimeout: number;
  files: () => ScriptFiles | undefined;
}

/**
 * The public pages of surveys. They need no sign-in, and no cookie. Opening one stores nothing, so a program that follows the links of an email
 * answers nothing; answers are sent by the script of the page.
 */
export function addSurveyPages(
  server: HttpServer,
  { app, limits, reportBudget, bodyTimeout, files }: SurveyPageDependencies,
): void {
  const find = (request: HttpRequest) =>
    findSurvey(app, request.params.key ?? '', () => limits.countWrong(request.ip)).then((survey) => {
      request.accountId = survey.account.id;
      return survey;
    });

  const show: Handler = async (request) => {
    const { lang, link } = readQuery(request);
    const language = lang ?? firstLanguage(request.headers['accept-language']) ?? null;
    const texts = surveyPageTexts(language);
    const message = (status: number, text: string) =>
      responseWith(status, renderMessage(texts, text), headersOf(randomBytes(16).toString('base64')));
    try {
      limits.countPage(request.ip);
      const survey = await find(request);
      const parts = files()?.neutralParts;
      if (!parts) throw new ApiError(503, ['The script of this server is not built']);
      const json = await showSurveyPage(survey, { link, language });
      if (json === undefined) return message(200, texts.answered);
      const nonce = randomBytes(16).toString('base64');
      return responseWith(200, renderSurvey(texts, json, parts, nonce), headersOf(nonce));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 404) return message(404, texts.closed);
      if (error.code !== 403) return message(error.code, error.messages.join(' '));
      limits.countWrong(request.ip);
      return message(403, texts.link);
    }
  };

  const answer: Handler = async (request): Promise<HttpResponse> => {
    limits.countPage(request.ip);
    limits.countAnswers(request.ip);
    // A page of another origin cannot send this type without asking first.
    if (!/^application\/json\b/i.test(request.mediaType))
      throw new ApiError(415, ['The body must be JSON, with the type `application/json`']);
    const params = await parseBody(
      await receiveBody(request, { size: MAX_BODY, timeout: bodyTimeout }),
      request.mediaType,
    );
    const survey = await find(request);
    const { 'user-agent': userAgent, 'accept-language': acceptLanguage } = request.headers;
    try {
      return jsonResponse(200, await recordAnswers(survey, params, { userAgent, acceptLanguage, reportBudget }));
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) limits.countWrong(request.ip);
      throw error;
    }
  };

  server.add(['GET'], '/s/:key', show, { isForPages: true });
  server.add(['POST'], '/s/:key', answer, { isForPages: true });
}

/** The address may be mangled on its way, so what cannot be read counts as missing. */
function readQuery({ url }: HttpRequest): { lang: string | undefined; link: string | undefined } {
  try {
    const { lang, link } = queryOf(url);
    const language = typeof lang === 'string' ? canonicalLanguage(lang.trim().replaceAll('_', '-')) : undefined;
    return { lang: language, link: link === undefined || typeof link === 'string' ? link : '' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { lang: undefined, link: '' };
  }
}

function firstLanguage(header = ''): string | undefined {
  return canonicalLanguage((/^[^,;]*/.exec(header)?.[0] ?? '').trim());
}

/**
 * Only the files of the page run, and they send to this server only. Pictures and videos of authors are loaded. The address may have a
 * signed link in it, so no other site gets it, and nobody may show the page in a frame.
 */
function headersOf(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src '${STYLE_HASH}'`,
    "connect-src 'self'",
    "img-src 'self' https:",
    'media-src https:',
    'frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://www.loom.com',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
  };
}
