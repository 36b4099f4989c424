import { createHash } from 'node:crypto';
import { directionOf, type SurveyPageTexts } from '@usher/domain';
import type { ScriptFiles } from '../../../pages/script-files.ts';

/** The page around the survey. The survey has the style of the script, and of its theme. */
const STYLE = `
:root { color-scheme: light dark; height: 100%; background: light-dark(#f3f4f7, #12151c); color: light-dark(#1d2330, #eef0f5); }
body { margin: 0; min-height: 100%; display: grid; place-items: center; box-sizing: border-box; padding: 24px 16px; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { width: 100%; max-width: 480px; }
main:focus { outline: none; }
p { margin: 0 0 8px; text-align: center; overflow-wrap: anywhere; }
.retry { margin-top: 16px; }
header { position: absolute; clip-path: inset(50%); }
`;
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** The parts of the script that a survey needs. They are few, so all of them are loaded together. */
const parts = ['survey_page', 'renderer', 'survey', 'questions', 'media', 'tour_extras'];

/** The addresses are relative, because the page is also below the base path. */
export function renderSurvey(texts: SurveyPageTexts, json: string, files: ScriptFiles['parts'], nonce: string): string {
  const scripts = parts.flatMap((name) => {
    const { path, integrity } = files[name] ?? {};
    return path ? `<script defer nonce="${nonce}" src="..${path}" integrity="${integrity}"></script>\n` : [];
  });
  // This is data and no script, so no policy needs to allow it. Without this sign, no text of an author can end it.
  const data = json.replaceAll('<', '\\u003c');
  return pageOf(
    texts,
    `${scripts.join('')}<header><h1>${escapeHtml(texts.survey)}</h1></header>
<main></main>
<noscript><p>This page needs JavaScript.</p></noscript>
<script type="application/json" id="survey">${data}</script>`,
  );
}

/** A page that only says something. */
export function renderMessage(texts: SurveyPageTexts, text: string): string {
  return pageOf(texts, `<main><p>${escapeHtml(text)}</p></main>`);
}

function pageOf(texts: SurveyPageTexts, content: string): string {
  const { language, survey } = texts;
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(survey)}</title>
<style>${STYLE}</style>
${content}
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
