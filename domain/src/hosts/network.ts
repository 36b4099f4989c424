/** Whether everyone on the internet means the same machine by an address, or each network one of its own. */
export type Reach = 'public' | 'private';

/** An IP address as a number. */
interface Address {
  version: 4 | 6;
  value: bigint;
}

export interface Network extends Address {
  /** How many of its first bits an address in it shares. */
  bits: number;
}

const LENGTHS = { 4: 32, 6: 128 } as const;

/** What IANA lists as not globally reachable, multicast, and what a cloud's machines reach their host by. */
const privateV4 = networks(
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
 * Of IPv6 only this part is given out at all. So what holds an IPv4 address, as mapped and NAT64 ones do, is private
 * whatever it holds; 6to4 and Teredo are excepted below.
 */
const givenOutV6 = networks('2000::/3');
const privateV6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** Of an address as Node writes it. What is no address, or names an interface, is not public. */
export function reachOf(text: string): Reach {
  const address = readAddress(text);
  if (!address) return 'private';
  const isPublic =
    address.version === 4 ? !isIn(address, privateV4) : isIn(address, givenOutV6) && !isIn(address, privateV6);
  return isPublic ? 'public' : 'private';
}

/** Whether something may be sent to this address: in plain text only within the networks that were allowed. */
export function mayConnect(
  protocol: string,
  address: string,
  allowed: readonly Network[],
  denied: readonly Network[] = [],
): boolean {
  const read = readAddress(address);
  if (read && (isIn(read, denied) || isIn(withoutMapping(read), denied))) return false;
  if (read && isIn(read, allowed)) return true;
  return protocol === 'https:' && reachOf(address) === 'public';
}

/** The IPv4 address that an IPv6 address stands for, where it is a mapped one. */
function withoutMapping(address: Address): Address {
  const isMapped = address.version === 6 && address.value >> 32n === 0xffffn;
  return isMapped ? { version: 4, value: address.value & 0xffff_ffffn } : address;
}

/** What nothing is sent to, whatever is allowed. */
interface Denied {
  denied?: readonly Network[];
  /** Where this server is reached itself. */
  ownUrl?: string;
}

/**
 * What is wrong with an address that something is to be sent to, as far as it can be seen in it; a name is judged by
 * what it stands for at the time something is sent.
 */
export function problemOfTarget(
  input: string,
  allowed: readonly Network[],
  { denied = [], ownUrl }: Denied = {},
): string | undefined {
  const url = parse(input);
  if (!url || !/^https?:\/\//i.test(input.trim()))
    return 'must be a whole address, such as `https://example.com/hooks`';
  if (url.protocol !== 'https:' && allowed.length === 0) return 'must be an address that begins with `https://`';
  if (url.username || url.password) return 'must be without a user name and a password';
  const host = bareHost(url.hostname);
  if (ownUrl !== undefined && placeOf(url) === placeOf(new URL(ownUrl))) return 'must not be an address of this server';
  const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host;
  if (!readAddress(address) || mayConnect(url.protocol, address, allowed, denied)) return undefined;
  if (mayConnect(url.protocol, address, allowed)) return `must not be in a network that the operator has denied`;
  if (reachOf(address) === 'public') return 'must be an address that begins with `https://`';
  return `must be on the public internet, which \`${host}\` is not; the operator of this server can allow networks`;
}

/** The host and the port, however they are written. */
function placeOf({ protocol, hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Without the brackets that an IPv6 address has in a URL. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Reads `10.0.0.0/8`, or an address alone. */
export function readNetwork(text: string): Network | undefined {
  const [start = '', bits, ...rest] = text.split('/');
  const address = readAddress(start);
  if (!address || rest.length > 0) return undefined;
  const length = LENGTHS[address.version];
  if (bits === undefined) return { ...address, bits: length };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= length ? { ...address, bits: Number(bits) } : undefined;
}

/** The version of an address; nothing where it is none. */
export function addressVersion(text: string): 4 | 6 | undefined {
  return readAddress(text)?.version;
}

function networks(...texts: string[]): Network[] {
  return texts.map((text) => readNetwork(text) as Network);
}

function isIn(address: Address, list: readonly Network[]): boolean {
  return list.some(({ version, value, bits }) => {
    const rest = BigInt(LENGTHS[version] - bits);
    return version === address.version && value >> rest === address.value >> rest;
  });
}

function parse(input: string): URL | undefined {
  try {
    return new URL(input);
  } catch {
    return undefined;
  }
}

function readAddress(text: string): Address | undefined {
  const version = text.includes(':') ? 6 : 4;
  const value = version === 6 ? readV6(text) : readV4(text);
  return value === undefined ? undefined : { version, value };
}

function readV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function readV6(text: string): bigint | undefined {
  const halves = withoutDots(text)?.split('::');
  if (!halves || halves.length > 2) return undefined;
  const [left = [], right] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - left.length - (right?.length ?? 0);
  if (right ? missing < 1 : missing !== 0) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...(right ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** The last two groups of sixteen bits may be written like an IPv4 address. */
function withoutDots(text: string): string | undefined {
  const end = text.lastIndexOf(':') + 1;
  if (!text.includes('.', end)) return text;
  const last = readV4(text.slice(end));
  return last === undefined
    ? undefined
    : `${text.slice(0, end)}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`;
}
