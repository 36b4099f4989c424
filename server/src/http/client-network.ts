import { parseAddress, withoutMapping } from '@usher/domain';

/** The longest form of an address: IPv6 that ends in an IPv4 address. */
const MAX_LENGTH = 45;

/**
 * The network that requests of an address are counted for: an IPv4 address itself, and the /64 of an IPv6 address, because
 * a client that has one address of it has all of them. A proxy may add a port, which is ignored, or send a text that is
 * not an address, which is counted as it is.
 */
export function networkOf(address = ''): string {
  if (!address.includes(':')) return address.slice(0, MAX_LENGTH);
  const text = withoutPort(address.slice(0, MAX_LENGTH + '[]:65535'.length)).slice(0, MAX_LENGTH);
  const parsed = parseAddress(text.replace(/%.*$/s, ''));
  if (!parsed) return text;
  const { parts } = withoutMapping(parsed) as { parts?: number[] };
  return parts ? toHex(parts.slice(0, 4)) : withoutMapping(parsed).toString();
}

/**
 * The larger networks that a network of `networkOf` is in. Providers give a customer a /56 or a /48 of IPv6 addresses, so one
 * client may have thousands of networks. An IPv4 address is a site of its own.
 */
export function sitesOf(network: string): { site: string; home?: string } {
  const [one, two, three, four, ...rest] = network.split(':');
  if (four === undefined || rest.length > 0) return { site: network };
  const site = `${one}:${two}:${three}/48`;
  return { site, home: `${site} ${(Number.parseInt(four, 16) >> 8).toString(16)}` };
}

function toHex(parts: number[]): string {
  return parts.map((part) => part.toString(16)).join(':');
}

/** `192.0.2.1:5122` and `[2001:db8::1]:5122` have a port. */
export function withoutPort(text: string): string {
  return /^(?:([\d.]+)|\[([^\]]*)\])(?::\d*)?$/.exec(text)?.slice(1).find(Boolean) ?? text;
}
