import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { readPem, readPort, WrongSetting } from './read-setting.ts';

const DEFAULT_DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory';
/** Let's Encrypt allows so many names in one certificate. */
const MAX_DOMAINS = 100;

/** The domains for which the server gets a certificate by ACME, and where from. */
export interface CertificateSettings {
  /** In alphabetical order, so that their order in the setting does not matter. */
  domains: string[];
  /** The one that was named first. */
  mainDomain: string;
  directory: string;
  /** The authorities that the server of the directory is trusted by, besides those of Node. */
  directoryCa: Buffer | undefined;
  email: string | undefined;
  /** The port for challenges, and for requests that are redirected to HTTPS. */
  httpPort: number;
}

/** Returns undefined without USHER_DOMAIN. */
export function readCertificateSettings(env: NodeJS.ProcessEnv): CertificateSettings | undefined {
  const { USHER_DOMAIN, USHER_ACME_DIRECTORY, USHER_ACME_EMAIL, USHER_ACME_CA } = env;
  if (!USHER_DOMAIN) {
    // The image sets USHER_HTTP_PORT for when there is a domain.
    const others = ['USHER_ACME_DIRECTORY', 'USHER_ACME_EMAIL', 'USHER_ACME_CA'] as const;
    const useless = others.find((name) => env[name]);
    if (useless) throw new WrongSetting(`${useless} needs USHER_DOMAIN, the name of this server`);
    return undefined;
  }
  if (env.USHER_TLS_CERT || env.USHER_TLS_KEY)
    throw new WrongSetting(
      'USHER_DOMAIN and USHER_TLS_CERT exclude each other: with USHER_DOMAIN the server gets a certificate itself, with USHER_TLS_CERT and USHER_TLS_KEY it uses yours. Set one of them',
    );
  if (USHER_ACME_EMAIL && !/^[^\s@,]+@[^\s@,]+$/.test(USHER_ACME_EMAIL))
    throw new WrongSetting(`USHER_ACME_EMAIL must be an email address, not "${USHER_ACME_EMAIL}"`);
  const named = USHER_DOMAIN.split(',').map(readDomain);
  const domains = [...new Set(named)].sort();
  if (domains.length > MAX_DOMAINS) throw new WrongSetting(`USHER_DOMAIN may have ${MAX_DOMAINS} names at most`);
  return {
    domains,
    mainDomain: named[0] as string,
    directory: readDirectory(USHER_ACME_DIRECTORY || DEFAULT_DIRECTORY),
    directoryCa: USHER_ACME_CA ? readPem('USHER_ACME_CA', USHER_ACME_CA) : undefined,
    email: USHER_ACME_EMAIL || undefined,
    httpPort: readPort('USHER_HTTP_PORT', env.USHER_HTTP_PORT) ?? 80,
  };
}

function readDomain(text: string): string {
  const name = text.trim();
  const ascii = domainToASCII(name).toLowerCase();
  const labels = ascii.split('.');
  const isName = labels.length > 1 && labels.every((label) => /^(?!-)[a-z\d-]{1,63}(?<!-)$/.test(label));
  if (!isName || ascii.length > 253 || isIP(ascii) !== 0)
    throw new WrongSetting(
      `USHER_DOMAIN must be a name such as usher.example.com, or several separated by commas, without https:// and without *, not "${name}"`,
    );
  return ascii;
}

function readDirectory(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.hash || url.username)
    throw new WrongSetting(`USHER_ACME_DIRECTORY must be an address such as ${DEFAULT_DIRECTORY}, not "${text}"`);
  return url.href;
}
