import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCertificateRequest } from './create-request.ts';
import { objectIdentifier, octetString } from './der.ts';

it('creates a request that OpenSSL verifies, with every domain', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // So many names need lengths of two bytes.
  const domains = Array.from({ length: 100 }, (_, index) => `shop-${index}.usher.example.com`);
  const request = createCertificateRequest(privateKey, domains);
  const options = ['req', '-inform', 'DER', '-verify', '-noout', '-text'];
  const text = execFileSync('openssl', options, {
    input: request,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [, names = ''] = /X509v3 Subject Alternative Name:\s+(.*)/.exec(text) ?? [];
  expect(names.split(', ')).toEqual(domains.map((domain) => `DNS:${domain}`));
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  expect(createCertificateRequest(other, domains).equals(request)).toBe(false);
});

it('encodes numbers and lengths as DER does', () => {
  expect(objectIdentifier('1.2.840.113549.1.9.14').toString('hex')).toBe('06092a864886f70d01090e');
  expect(octetString(Buffer.alloc(200)).subarray(0, 3).toString('hex')).toBe('0481c8');
});
