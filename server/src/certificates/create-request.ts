import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { bitString, encodeValue, objectIdentifier, octetString, sequence, setOf, zero } from './der.ts';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
/** Tags that mean something only where they are: the attributes of a request, and a DNS name. */
const ATTRIBUTES = 0xa0;
const DNS_NAME = 0x82;

/**
 * Creates a request for a certificate (PKCS #10, as DER) for these domains and an ECDSA key. The subject is empty: authorities and
 * browsers read the names from the extension.
 */
export function createCertificateRequest(key: KeyObject, domains: readonly string[]): Buffer {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const names = sequence(...domains.map((domain) => encodeValue(DNS_NAME, Buffer.from(domain, 'ascii'))));
  const extension = sequence(objectIdentifier(SUBJECT_ALTERNATIVE_NAME), octetString(names));
  const attribute = sequence(objectIdentifier(EXTENSION_REQUEST), setOf(sequence(extension)));
  const content = sequence(zero, sequence(), publicKey, encodeValue(ATTRIBUTES, attribute));
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256));
  return sequence(content, algorithm, bitString(sign('sha256', content, key)));
}
