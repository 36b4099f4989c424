import { randomBytes } from 'node:crypto';

interface Policy {
  /** For the inline part of the snippet. */
  nonce: string;
  headers: Record<string, string>;
}

/**
 * Creates the headers of a page with a strict policy: `strict`, or `inline-styles` for libraries that add style elements. The scripts
 * of the application and of Usher may run, and nothing else.
 */
export function createPolicy(name: string | null, usherUrl: string): Policy | undefined {
  if (!name) return undefined;
  const nonce = randomBytes(16).toString('base64');
  const styles = name === 'strict' ? "'self'" : "'self' 'unsafe-inline'";
  const directives = [
    ...["default-src 'none'", `script-src 'self' 'nonce-${nonce}' ${usherUrl}`, `connect-src 'self' ${usherUrl}`],
    ...[`style-src ${styles}`, 'img-src data:', "frame-src 'self' http://localhost:*", "base-uri 'none'"],
    // Vue and Lit create policies of their own.
    ...["form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types usher vue lit-html'],
  ];
  return {
    nonce,
    headers: { 'Content-Security-Policy': directives.join('; '), 'Cross-Origin-Opener-Policy': 'same-origin' },
  };
}
