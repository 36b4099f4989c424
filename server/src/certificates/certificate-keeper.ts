import { randomBytes, X509Certificate } from 'node:crypto';
import { type Millis, toTimestamp } from '@usher/domain';
import type { AppContext } from '../context.ts';
import { messageOf } from '../error-code.ts';
import type { Log } from '../log/log.ts';
import type { CertificateSettings } from '../settings/read-certificate-settings.ts';
import { addChallenge, removeChallenges } from './challenges.ts';
import { orderCertificate } from './order-certificate.ts';
import { AcmeError } from './send-signed.ts';
import {
  type CertificateName,
  claimOrder,
  findAccountKey,
  isDue,
  keepClaim,
  openCertificate,
  readCertificate,
  recordFailure,
  releaseClaim,
  storeCertificate,
} from './stored-certificate.ts';

const CHECK_MS: Millis = 60_000;
/** As long as there is no certificate, no browser can be served. */
const FIRST_CHECK_MS: Millis = 2000;
const KEEP_CLAIM_MS: Millis = 20_000;
const MAX_REASON = 500;

interface KeeperDependencies {
  app: AppContext;
  settings: CertificateSettings;
  /** Uses a certificate for new connections. */
  use(certificate: { cert: string; key: string }): void;
  /** Whether this process orders certificates, and not only uses what others have ordered. */
  mayOrder: boolean;
  log: Log;
}

/**
 * Keeps the certificate of the server up to date. All nodes look into the database every minute. The node that claims an order there gets
 * the certificate, and the others use it with their next look.
 */
export class CertificateKeeper {
  readonly #deps: KeeperDependencies;
  readonly #name: CertificateName;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #used: string | undefined;

  constructor(deps: KeeperDependencies) {
    this.#deps = deps;
    const { directory, domains } = deps.settings;
    this.#name = { directory, domains: domains.join(',') };
  }

  /** Resolves when a certificate that exists already is in use. Ordering one goes on in the background. */
  async start(): Promise<void> {
    await this.#useStored();
    this.#next(0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#checking;
  }

  /** Uses what was issued, and orders a certificate if it is time. It never fails. */
  check(): Promise<void> {
    this.#checking ??= this.#check()
      .catch((err) => this.#deps.log.error({ err }, 'the certificate could not be checked'))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  #next(wait: Millis): void {
    if (this.#stopping.signal.aborted) return;
    const again = () => this.#next(this.#used === undefined ? FIRST_CHECK_MS : CHECK_MS);
    this.#timer = setTimeout(() => this.check().then(again), wait).unref();
  }

  async #check(): Promise<void> {
    const { app, mayOrder } = this.#deps;
    await this.#useStored();
    const stored = await readCertificate(app, this.#name);
    if (!mayOrder || this.#stopping.signal.aborted || (stored && !isDue(stored, app.now()))) return;
    const claim = randomBytes(12).toString('hex');
    if (await claimOrder(app, this.#name, claim)) await this.#order(claim);
    await this.#useStored();
  }

  async #useStored(): Promise<void> {
    const { app, use, log } = this.#deps;
    const stored = await readCertificate(app, this.#name);
    app.certificate.hasFailed = (stored?.error ?? null) !== null;
    if (!stored || stored.chain === null || stored.chain === this.#used) return;
    const opened = await openCertificate(app, this.#name);
    if (!opened) return;
    use(opened);
    this.#used = opened.cert;
    app.certificate.expiresAt = Date.parse(new X509Certificate(opened.cert).validTo);
    const valid_until = toTimestamp(app.certificate.expiresAt);
    log.info({ domains: this.#name.domains, valid_until }, 'a certificate is in use');
  }

  async #order(claim: string): Promise<void> {
    const { app, settings, log } = this.#deps;
    const { domains, directory } = this.#name;
    const keeping = setInterval(() => keepClaim(app, this.#name, claim).catch(() => {}), KEEP_CLAIM_MS);
    const tokens: string[] = [];
    log.info({ domains, directory }, 'a certificate is ordered');
    try {
      const issued = await orderCertificate({
        ...settings,
        accountKey: await findAccountKey(app, directory),
        addChallenge: (token, key_authorization) => {
          tokens.push(token);
          return addChallenge(app.storage, { token, key_authorization, created_at: app.now() });
        },
        signal: this.#stopping.signal,
      });
      await storeCertificate(app, this.#name, claim, issued);
    } catch (error) {
      if (this.#stopping.signal.aborted) return await releaseClaim(app, this.#name, claim);
      await this.#recordFailure(claim, error);
    } finally {
      clearInterval(keeping);
      await removeChallenges(app.storage, tokens, app.now());
    }
  }

  async #recordFailure(claim: string, error: unknown): Promise<void> {
    const { app, log } = this.#deps;
    const { domains } = this.#name;
    // The authority may repeat what another server has returned.
    const message = messageOf(error).slice(0, MAX_REASON);
    const retryAfter = error instanceof AcmeError ? error.retryAfter : undefined;
    const retryAt = await recordFailure(app, this.#name, claim, { message, retryAfter });
    app.certificate.hasFailed = true;
    log.error(
      { domains, reason: message, retry_at: toTimestamp(retryAt) },
      'no certificate was issued: let the DNS of each domain lead to this server, and port 80 be open',
    );
  }
}
