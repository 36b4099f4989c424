import { isAddress } from '@usher/domain';

/** The address that was typed, as it is stored. Undefined for an address that pages may not have. */
export function readAddress(typed: string, of: 'href' | 'src'): string | undefined {
  const address = typed.trim();
  // People write `example.com` for an address.
  const isBare = /^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(address) && !address.includes('@');
  const whole = isBare ? `https://${address}` : address;
  // A merge tag in an address is checked with its value.
  return isAddress(whole.replaceAll(/\{\{[^{}]*\}\}/g, 'https://x'), of) ? whole : undefined;
}
