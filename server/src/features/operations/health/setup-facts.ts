import type { Millis } from '@usher/domain';
import type { DatabaseFindings } from '../../../db/inspect-database.ts';
import type { DiskFigures, StorageStatus } from '../../../db/storage.ts';
import type { CertificateFacts, UrlFacts } from '../../../http/inspect-url.ts';

export interface FileFacts {
  /** Files that others on this machine may read. */
  open: string[];
  /** Files of another user. */
  foreign: string[];
}

/** The facts that `checkSetup` judges. An unknown fact is not checked. */
export interface SetupFacts {
  now: Millis;
  nodeVersion: string;
  storage?: StorageStatus;
  database?: DatabaseFindings;
  disk?: DiskFigures | null;
  /** The names of the migrations of this version. */
  knownMigrations: readonly string[];
  /**
   * The fingerprints of the configured master keys; undefined if there are none. A text says why the keys cannot be
   * read.
   */
  masterKeys?: readonly string[] | string | undefined;
  keyIsInEnvironment: boolean;
  publicUrl: string;
  isExplicitUrl: boolean;
  pageUrl: string;
  isExplicitPageUrl: boolean;
  basePath: string;
  listensPublicly: boolean;
  requireHttps: boolean;
  /** How many streams of pages, and connections, may be open. */
  streams: number;
  connections: number;
  trustProxy: boolean | readonly string[];
  untrustedProxies: readonly { network: string; requests: number }[];
  ownCertificate?: CertificateFacts | undefined;
  /** The certificate that the server gets itself: its directory and domains, as they are stored. */
  ordered?: { directory: string; domains: string } | undefined;
  files: FileFacts;
  url?: UrlFacts | undefined;
  /** How the address of pages responds. */
  page?: UrlFacts | undefined;
}
