import type { Millis } from '@usher/domain';
import type { Setup } from '../../../context.ts';
import { migrations } from '../../../db/migrations/index.ts';
import { messageOf } from '../../../error-code.ts';
import { readOwnCertificate } from '../../../http/inspect-url.ts';
import { readMasterKeys } from '../../../keys/master-key.ts';
import { SecretBox } from '../../../keys/secret-box.ts';
import { inspectFiles } from './inspect-files.ts';
import type { SetupFacts } from './setup-facts.ts';

const loopback = /^(localhost|127\.|::1$)/;

/** Collects the facts from the settings and the machine, without the database and without the network. */
export function collectFacts(setup: Omit<Setup, 'installationId'>, now: Millis): SetupFacts {
  const {
    publicUrl,
    explicitPublicUrl,
    pageUrl,
    explicitPageUrl,
    basePath,
    host,
    requireHttps,
    trustProxy,
    tls,
    certificates,
    masterKey,
    streams,
    connections,
  } = setup;
  return {
    now,
    nodeVersion: process.versions.node,
    knownMigrations: Object.keys(migrations),
    masterKeys: readFingerprints(masterKey),
    keyIsInEnvironment: masterKey.keys !== undefined,
    publicUrl,
    isExplicitUrl: explicitPublicUrl !== undefined,
    pageUrl,
    isExplicitPageUrl: explicitPageUrl !== undefined,
    basePath,
    listensPublicly: !loopback.test(host),
    requireHttps,
    streams: streams.total,
    connections,
    trustProxy,
    untrustedProxies: [],
    ownCertificate: readOwnCertificate(tls),
    ordered: certificates && { directory: certificates.directory, domains: certificates.domains.join(',') },
    files: inspectFiles(setup),
  };
}

function readFingerprints(source: Setup['masterKey']): readonly string[] | string | undefined {
  try {
    const keys = readMasterKeys(source);
    return keys && new SecretBox(keys).fingerprints;
  } catch (error) {
    return messageOf(error);
  }
}
