import { X509Certificate } from 'node:crypto';
import { type HealthCheck, toTimestamp } from '@usher/domain';
import { explainConnection, TOO_FEW_FILES } from '../../../db/connection-problem.ts';
import type { CertificateFacts, UrlFacts } from '../../../http/inspect-url.ts';
import { checkPageUrl } from './check-page-url.ts';
import { isLocal } from './is-local.ts';
import { type Judgement, toCheck } from './judgement.ts';
import type { SetupFacts } from './setup-facts.ts';

const DAY = 24 * 60 * 60_000;
const MIN_CERTIFICATE_DAYS = 14;

/** Checks the public URL, its certificate, and the proxy in front. */
export function checkAddress(facts: SetupFacts): HealthCheck[] {
  const { url, ownCertificate, now } = facts;
  const certificate = url?.certificate ?? ownCertificate;
  const ordered = facts.ordered && facts.database ? checkOrdered(facts, facts.ordered, facts.database) : undefined;
  const pageUrl = checkPageUrl(facts);
  return [
    toCheck('public_url', checkUrl(facts)),
    ...(url ? [toCheck('reachable', checkReachable(url, facts))] : []),
    ...(pageUrl ? [toCheck('page_url', pageUrl)] : []),
    ...(ordered ? [toCheck('certificate', ordered)] : []),
    ...(certificate && !ordered ? [toCheck('certificate', checkCertificate(certificate, now))] : []),
    toCheck('proxy', checkProxy(facts)),
  ];
}

function checkUrl(facts: SetupFacts): Judgement {
  const { publicUrl, isExplicitUrl, listensPublicly, requireHttps, ownCertificate, url } = facts;
  const isHttps = publicUrl.startsWith('https:');
  if (!isExplicitUrl && listensPublicly)
    return {
      attention: 'USHER_PUBLIC_URL is not set: links and the snippet name an address that others may not reach.',
    };
  if (!isExplicitUrl)
    return { good: 'Only this machine reaches the server. Set USHER_PUBLIC_URL before others use it.' };
  if (!isHttps && !isLocal(publicUrl))
    return { attention: 'The public URL has no https: secrets and passwords are sent in the clear.' };
  // With a certificate of its own the server speaks only HTTPS.
  if (isHttps && !requireHttps && !ownCertificate && !facts.ordered)
    return { attention: 'Plain HTTP is still served: set USHER_REQUIRE_HTTPS=true, since the public URL has https.' };
  if (isHttps && url?.hasHsts === false)
    return { attention: 'The proxy removes the header Strict-Transport-Security: let it pass.' };
  return { good: 'Links and the snippet name this address.' };
}

function checkReachable(
  { error, status, isSameInstallation }: UrlFacts,
  { publicUrl, isExplicitUrl }: SetupFacts,
): Judgement {
  if (error === 'EMFILE' || error === 'ENFILE')
    return { attention: `The public URL was not tried, because ${TOO_FEW_FILES}.` };
  if (error === 'ECONNREFUSED' && !isExplicitUrl)
    return { attention: 'The server does not run, or runs with another HOST or PORT: start it.' };
  if (error === 'ECONNREFUSED' && isLocal(publicUrl))
    return { attention: 'Nothing listens at the public URL: start the server, or correct USHER_PUBLIC_URL.' };
  if (error !== undefined) {
    const reason = error === 'ABORT_ERR' ? 'no response within 5 seconds' : (explainConnection(error) ?? error);
    return {
      attention: `The public URL does not respond from this machine (${reason}): check DNS, the firewall and the proxy, or try it from elsewhere.`,
    };
  }
  if (status !== 200)
    return { problem: `The public URL responds with ${status}: let the proxy pass all paths to this server.` };
  if (isSameInstallation === undefined)
    return { good: 'The public URL responds. Without the database it is not known which installation that is.' };
  if (!isSameInstallation)
    return { problem: 'The public URL leads to another server: correct USHER_PUBLIC_URL, DNS or the proxy.' };
  return { good: 'The public URL leads to this installation.' };
}

/** The certificate that the server gets itself. */
function checkOrdered(
  { url, now }: SetupFacts,
  { directory, domains }: NonNullable<SetupFacts['ordered']>,
  { certificates }: NonNullable<SetupFacts['database']>,
): Judgement {
  const found = certificates.find((one) => one.directory === directory && one.domains === domains);
  const next = found?.retry_at ? ` The next attempt is after ${toTimestamp(found.retry_at)}.` : '';
  const failure = found?.error && `${found.error.replace(/\.$/, '')}.${next}`;
  if (!found?.chain)
    return failure
      ? {
          problem: `There is no certificate for ${domains} yet: ${failure} The DNS of each domain must lead to this server, and port 80 must be open.`,
        }
      : { attention: `A certificate for ${domains} is being ordered: look again in a minute.` };
  const { validTo } = new X509Certificate(found.chain);
  const judgement = checkCertificate({ ...url?.certificate, validTo: Date.parse(validTo) }, now);
  if (!failure) return judgement;
  const [text] = Object.values(judgement);
  return 'problem' in judgement
    ? { problem: `${text} It could not be renewed: ${failure}` }
    : { attention: `${text} It could not be renewed: ${failure}` };
}

function checkCertificate({ validTo, error }: CertificateFacts, now: number): Judgement {
  const days = Math.floor((validTo - now) / DAY);
  if (days < 0) return { problem: 'The certificate has expired: renew it.' };
  if (error !== undefined)
    return { problem: `Browsers do not accept the certificate (${error}): install the whole chain for this host.` };
  if (days < MIN_CERTIFICATE_DAYS) return { attention: `The certificate expires in ${days} days: renew it.` };
  return { good: `The certificate is valid for ${days} days.` };
}

function checkProxy({ trustProxy, untrustedProxies, listensPublicly }: SetupFacts): Judgement {
  if (trustProxy === true && listensPublicly)
    return {
      problem:
        'USHER_TRUST_PROXY=true trusts whatever clients say about their address: name the networks of the proxy.',
    };
  if (trustProxy === true)
    return { attention: 'USHER_TRUST_PROXY=true trusts every sender: name the networks of the proxy instead.' };
  const [first] = untrustedProxies;
  if (first)
    return {
      attention: `${first.requests} requests from ${first.network} came through a proxy that is not trusted, so all clients seem to have one address: if it is yours, name it in USHER_TRUST_PROXY.`,
    };
  return { good: trustProxy ? 'The proxy is trusted by its address.' : 'No proxy is in front.' };
}
