import ipaddr from 'ipaddr.js';

/** A public address is the same machine for everyone on the internet; a private one differs between networks. */
export type Reach = 'public' | 'private';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

export interface Network {
  address: IpAddress;
  /** How many leading bits the addresses of the network share. */
  bits: number;
}

/** The networks that IANA lists as not globally reachable, multicast, and the address of the host in some clouds. */
const privateV4 = /* @__PURE__ */ networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);
/**
 * The only part of IPv6 that is assigned at all. Addresses that contain an IPv4 address, such as mapped ones and NAT64,
 * are outside of it and so private, whatever they contain. 6to4 and Teredo are inside of it, and excepted below.
 */
const assignedV6 = /* @__PURE__ */ networks('2000::/3');
const privateV6 = /* @__PURE__ */ networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** Whether an address is public. A text that is not an address, or has a zone, is not. */
export function reachOf(text: string): Reach {
  const address = parseAddress(text);
  if (!address) return 'private';
  const isPublic =
    address.kind() === 'ipv4' ? !isIn(address, privateV4) : isIn(address, assignedV6) && !isIn(address, privateV6);
  return isPublic ? 'public' : 'private';
}

/** Whether something may be sent to this address: in plain text only within the networks that were allowed. */
export function mayConnect(
  protocol: string,
  address: string,
  allowed: readonly Network[],
  denied: readonly Network[] = [],
): boolean {
  const parsed = parseAddress(address);
  if (parsed && (isIn(parsed, denied) || isIn(withoutMapping(parsed), denied))) return false;
  if (parsed && isIn(parsed, allowed)) return true;
  return protocol === 'https:' && reachOf(address) === 'public';
}

/** The IPv4 address in a mapped IPv6 address; other addresses as they are. */
export function withoutMapping(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Targets that are rejected even if their network is allowed. */
interface Denied {
  denied?: readonly Network[];
  /** The URL of this server. */
  ownUrl?: string;
}

/**
 * Says what is wrong with a URL to send to, as far as its text shows. The addresses of a host name are checked later,
 * each time something is sent.
 */
export function problemOfTarget(
  input: string,
  allowed: readonly Network[],
  { denied = [], ownUrl }: Denied = {},
): string | undefined {
  const url = parse(input);
  if (!url || !/^https?:\/\//i.test(input.trim()))
    return 'must be a whole address, such as `https://example.com/hooks`';
  if (url.username || url.password) return 'must be without a user name and a password';
  const host = bareHost(url.hostname);
  if (ownUrl !== undefined && hostAndPort(url) === hostAndPort(new URL(ownUrl)))
    return 'must not be an address of this server';
  const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host;
  const isAddress = parseAddress(address) !== undefined;
  if (isAddress ? mayConnect(url.protocol, address, allowed, denied) : url.protocol === 'https:' || allowed.length > 0)
    return undefined;
  if (isAddress && mayConnect(url.protocol, address, allowed))
    return `must not be in a network that the operator has denied`;
  if (!isAddress || reachOf(address) === 'public') return 'must be an address that begins with `https://`';
  return `must be on the public internet, which \`${host}\` is not; an operator of this server can allow it in the setting \`USHER_WEBHOOK_ALLOW_NETWORKS\``;
}

/** The host and the port in one spelling. */
function hostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Removes the brackets that an IPv6 address has in a URL. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Parses `10.0.0.0/8`, or an address alone. */
export function readNetwork(text: string): Network | undefined {
  const [start = '', bits, ...rest] = text.split('/');
  const address = parseAddress(start);
  if (!address || rest.length > 0) return undefined;
  const length = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address, bits: length };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= length ? { address, bits: Number(bits) } : undefined;
}

/** The IP version of an address; undefined if the text is not an address. */
export function addressVersion(text: string): 4 | 6 | undefined {
  const address = parseAddress(text);
  return address && (address.kind() === 'ipv4' ? 4 : 6);
}

function networks(...texts: string[]): Network[] {
  return texts.map((text) => readNetwork(text) as Network);
}

function isIn(address: IpAddress, list: readonly Network[]): boolean {
  return list.some(
    (network) => network.address.kind() === address.kind() && address.match(network.address, network.bits),
  );
}

function parse(input: string): URL | undefined {
  try {
    return new URL(input);
  } catch {
    return undefined;
  }
}

/** Parses an address in its usual form: four decimal numbers, or IPv6 without a zone. */
export function parseAddress(text: string): IpAddress | undefined {
  if (!text.includes(':')) return isFourDecimals(text) ? ipaddr.IPv4.parse(text) : undefined;
  const lastPart = text.slice(text.lastIndexOf(':') + 1);
  // ipaddr.js accepts leading zeros in an IPv4 address within an IPv6 one, which other programs read as octal or reject.
  if (text.includes('%') || (lastPart.includes('.') && !isFourDecimals(lastPart))) return undefined;
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function isFourDecimals(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** Whether an address is in one of the networks. IPv4 that is mapped to IPv6 counts as IPv4, in both. */
export function isInNetworks(text: string, list: readonly Network[]): boolean {
  const address = parseAddress(text.replace(/%.*$/s, ''));
  return address !== undefined && isIn(withoutMapping(address), list.map(withoutMappedBits));
}

/** Whether a network, or an address, is as a whole within one of the networks. */
export function isWithinNetworks(text: string, list: readonly Network[]): boolean {
  const network = readNetwork(text);
  if (!network) return false;
  const { address, bits } = withoutMappedBits(network);
  return isIn(
    address,
    list.map(withoutMappedBits).filter((other) => other.bits <= bits),
  );
}

const MAPPED_BITS = 96;

function withoutMappedBits({ address, bits }: Network): Network {
  const bare = withoutMapping(address);
  return bare === address || bits < MAPPED_BITS ? { address, bits } : { address: bare, bits: bits - MAPPED_BITS };
}
