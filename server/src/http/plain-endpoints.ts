import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import type { CertificateSettings } from '../settings/read-certificate-settings.ts';
import type { Endpoint } from './endpoint.ts';
import { type HttpResponse, responseWith } from './http-response.ts';

const CHALLENGE_PATH = '/.well-known/acme-challenge/';

/** What a server that gets its certificate itself returns over plain HTTP: challenges, its health, and where HTTPS is. */
export class PlainEndpoints {
  readonly #domains: readonly string[];
  readonly #publicUrl: URL;
  readonly #findChallenge: (token: string) => Promise<string | undefined>;

  constructor(
    { domains }: CertificateSettings,
    publicUrl: string,
    findChallenge: (token: string) => Promise<string | undefined> = async () => undefined,
  ) {
    this.#domains = domains;
    this.#publicUrl = new URL(publicUrl);
    this.#findChallenge = findChallenge;
  }

  /** @param endpoint what would respond over HTTPS */
  find({ url = '', method = '', headers: { host = '' } }: IncomingMessage, endpoint: Endpoint): Endpoint {
    const [path = ''] = url.split('?');
    const plain = { anyOrigin: false, compress: false, isPageLoad: false, isPlain: true };
    if (path === '/healthz') return { ...endpoint, isPlain: true };
    if (path.startsWith(CHALLENGE_PATH)) {
      const token = path.slice(CHALLENGE_PATH.length);
      return { ...plain, path: `${CHALLENGE_PATH}:token`, handle: () => this.#prove(token) };
    }
    // 308 keeps the method and the body. Some old clients do not know it, so what only reads gets 301.
    const status = method === 'GET' || method === 'HEAD' ? 301 : 308;
    const location = this.#addressFor(host) + (url.startsWith('/') ? url : '/');
    return { ...plain, path: 'https', handle: async () => responseWith(status, '', { location }) };
  }

  async #prove(token: string): Promise<HttpResponse> {
    const proof = await this.#findChallenge(token);
    if (proof === undefined) throw new ApiError(404, ['No certificate is ordered with this token']);
    return responseWith(200, proof, { 'content-type': 'application/octet-stream' });
  }

  /** The domain of the request, if it is one of ours: other names could lead anywhere. */
  #addressFor(host: string): string {
    const name = host.replace(/:\d+$/, '').toLowerCase();
    const { origin, port } = this.#publicUrl;
    return this.#domains.includes(name) ? `https://${name}${port && `:${port}`}` : origin;
  }
}
