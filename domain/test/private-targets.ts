/** Addresses that only mean something within a network: this machine, its neighbours, the host of a cloud. */
const addresses = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.169.254',
  '169.254.170.2',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

/** How one address can be written in a URL, so that no reader of the text alone would know it. */
function waysToWrite(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `0${part.toString(8).padStart(3, '0')}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${a.toString(16)}.${b}.0${(c * 256 + d).toString(8)}`,
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '\uff0e'),
    [...address].map((sign) => (sign === '.' ? sign : String.fromCharCode(sign.charCodeAt(0) + 0xfee0))).join(''),
    [...address].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
    `[::${address}]`,
    `[::ffff:${address}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::FFFF:${groups.toUpperCase()}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::]`,
    `[::ffff:0:${address}]`,
  ];
}

/** Hosts in the spellings of a URL. The server must never connect to any of them. */
export const privateTargets: readonly string[] = [
  ...new Set([
    ...addresses.flatMap(waysToWrite),
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ⓛocalhost',
    '127.1',
    '127.0.1',
    '0',
    '0x0',
    '00',
    '0x7f.1',
    '017700000001',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2001:0:7f00:1::1]',
    '[100::1]',
  ]),
];
