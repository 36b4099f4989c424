/** As an address with a zone is at most. */
const MAX_LENGTH = 45;
const COLON = ':'.charCodeAt(0);

/**
 * What an address counts as: an IPv4 address for itself, an IPv6 address as its /64, since whoever has one has all of
 * them. What a proxy tells may have a port, which counts for nothing, or be no address at all, which counts as it is.
 */
export function networkOf(address: string | undefined): string {
  if (!address?.includes(':')) return (address ?? '').slice(0, MAX_LENGTH);
  const colon = address.indexOf(':');
  if (address.lastIndexOf('.', colon) >= 0) return address.slice(0, Math.min(colon, MAX_LENGTH));
  const last = address.lastIndexOf(':') + 1;
  if (address.includes('.', last)) return address.slice(last, last + MAX_LENGTH);
  // Nearly all of them have their first four groups written out.
  let groups = 0;
  for (let at = 0; at < address.length && at < MAX_LENGTH; at++) {
    if (address.charCodeAt(at) !== COLON) continue;
    if (address.charCodeAt(at + 1) === COLON) break;
    groups += 1;
    if (groups === 4) return address.slice(0, at);
  }
  return expandedNetworkOf(address.slice(0, MAX_LENGTH));
}

/** `2001:db8::1` is in `2001:db8:0:0`. */
function expandedNetworkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
