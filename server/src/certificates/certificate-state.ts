import type { Millis } from '@usher/domain';

declare module '../context.ts' {
  interface AppContext {
    readonly certificate: CertificateState;
  }
}

/** What is known about the certificate that the server gets itself. */
export interface CertificateState {
  /** Undefined before the first one was issued. */
  expiresAt: Millis | undefined;
  /** Whether the latest order failed. */
  hasFailed: boolean;
}
