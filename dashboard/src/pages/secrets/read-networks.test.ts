import { expect, it } from 'vitest';
import { readNetworks } from './read-networks.ts';

it('reads addresses and networks, one per line or between commas', () => {
  expect(readNetworks(' 192.0.2.0/24\n2001:db8::/32, 198.51.100.7\n\n')).toEqual({
    networks: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'],
  });
  expect(readNetworks(' \n')).toEqual({ networks: [] });
});

it.each(['localhost', '10.0.0.0/33', '10.0.0', 'fe80::1%eth0'])('names "%s" as wrong', (wrong) => {
  expect(readNetworks(`192.0.2.1\n${wrong}`)).toEqual({ wrong });
});
