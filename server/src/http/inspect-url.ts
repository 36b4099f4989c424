import { X509Certificate } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Millis } from '@usher/domain';
import { codeOf, messageOf } from '../error-code.ts';
import type { Settings } from '../settings/settings.ts';
import { BASE_PATH_HEADER, INSTALLATION_HEADER } from './installation-header.ts';

const TIMEOUT_MS = 5000;
const MAX_TEXT = 10_000;

/** How the public URL, or that of pages, responds from here. */
export interface UrlFacts {
  /** Why there was no response, such as ECONNREFUSED. */
  error?: string;
  status?: number;
  /** Undefined if it is not known which installation this is. */
  isSameInstallation?: boolean;
  hasHsts?: boolean;
  /** The base path that the request came by. */
  basePath?: string | undefined;
  /** What the certificate of an https URL says. */
  certificate?: CertificateFacts;
  /** What `/readyz` says; undefined if it did not respond. */
  readiness?: Readiness | undefined;
}

export interface Readiness {
  status: number;
  /** Why the server is not ready. */
  messages?: string[];
  /** Accounts whose page loads keep failing. */
  failing_accounts?: number;
}

export interface CertificateFacts {
  validTo: Millis;
  /** Why clients would not accept the certificate. */
  error?: string;
}

/** Requests `/healthz` and `/readyz` of the public URL as a client would, without following redirects. */
export async function inspectUrl(publicUrl: string, installationId: string | undefined): Promise<UrlFacts> {
  const isHttps = publicUrl.startsWith('https:');
  try {
    const response = await get(`${publicUrl}/healthz`, isHttps);
    const { statusCode, headers, socket } = response;
    // The certificate is read before the socket closes.
    const certificate = isHttps ? readPeer(socket as TLSSocket) : undefined;
    response.resume();
    return {
      status: statusCode ?? 0,
      ...(installationId !== undefined && { isSameInstallation: headers[INSTALLATION_HEADER] === installationId }),
      basePath: headers[BASE_PATH_HEADER]?.toString(),
      ...(isHttps && { hasHsts: headers['strict-transport-security'] !== undefined }),
      ...(certificate && { certificate }),
      ...(statusCode === 200 && { readiness: await readReadiness(publicUrl, isHttps) }),
    };
  } catch (error) {
    return { error: codeOf(error) || messageOf(error) };
  }
}

/** Returns undefined if pages use the public URL. */
export async function inspectPageUrl(
  { publicUrl, pageUrl }: Pick<Settings, 'publicUrl' | 'pageUrl'>,
  installationId: string | undefined,
): Promise<UrlFacts | undefined> {
  return pageUrl === publicUrl ? undefined : inspectUrl(pageUrl, installationId);
}

async function readReadiness(publicUrl: string, isHttps: boolean): Promise<Readiness | undefined> {
  try {
    const response = await get(`${publicUrl}/readyz`, isHttps);
    return { ...JSON.parse(await readText(response)), status: response.statusCode ?? 0 };
  } catch {
    return undefined;
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_TEXT) throw new Error('The response is too long');
  }
  return text;
}

function get(url: string, isHttps: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A certificate that is not accepted is a finding of its own, so the request goes on.
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), rejectUnauthorized: false, agent: false } as const;
    const request = isHttps ? requestHttps(url, options) : requestHttp(url, options);
    request.once('response', resolve).once('error', reject).end();
  });
}

function readPeer(socket: TLSSocket): CertificateFacts {
  const { valid_to } = socket.getPeerCertificate();
  const error = socket.authorized ? undefined : String(socket.authorizationError);
  return { validTo: Date.parse(valid_to), ...(error !== undefined && { error }) };
}

/** The certificate that the server itself presents. */
export function readOwnCertificate(tls: { cert: Buffer } | undefined): CertificateFacts | undefined {
  return tls && { validTo: Date.parse(new X509Certificate(tls.cert).validTo) };
}
