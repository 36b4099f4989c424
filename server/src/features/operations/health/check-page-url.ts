import { explainConnection } from '../../../db/connection-problem.ts';
import { isLocal } from './is-local.ts';
import type { Judgement } from './judgement.ts';
import type { SetupFacts } from './setup-facts.ts';

/** Checks the address at which pages load the script, if it is another one than the public URL. */
export function checkPageUrl(facts: SetupFacts): Judgement | undefined {
  const { publicUrl, pageUrl, isExplicitPageUrl, basePath, page } = facts;
  if (pageUrl === publicUrl) return undefined;
  const setting = isExplicitPageUrl ? 'USHER_PAGE_URL' : 'USHER_PUBLIC_URL with USHER_BASE_PATH';
  if (pageUrl.startsWith('http:') && !isLocal(pageUrl))
    return { attention: `${setting} has no https: browsers block the script in pages with https.` };
  if (!page) return { good: `The snippet names ${pageUrl}.` };
  if (page.error !== undefined) {
    const reason = page.error === 'ABORT_ERR' ? 'no response within 5 seconds' : explainConnection(page.error);
    return {
      attention: `The address of pages does not respond from this machine (${reason ?? page.error}): check ${setting} and the proxy, or try it from elsewhere.`,
    };
  }
  if (page.status !== 200)
    return {
      problem: `The address of pages responds with ${page.status} to /healthz: let the proxy of ${pageUrl} pass all paths below it to this server.`,
    };
  if (page.isSameInstallation === false)
    return { problem: `The address of pages leads to another server: correct ${setting} or the proxy.` };
  if (basePath !== '' && page.basePath !== basePath)
    return {
      problem: `The proxy of ${pageUrl} does not pass the base path ${basePath} on, so the script calls the public URL: let it pass paths as they are.`,
    };
  return { good: 'Pages reach this installation at the address that the snippet names.' };
}
