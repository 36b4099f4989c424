import { readNetwork } from '@usher/domain';

/** Reads one address or network per line, or between commas. Returns the first text that is neither. */
export function readNetworks(input: string): { networks: string[] } | { wrong: string } {
  const networks = input.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = networks.find((network) => !readNetwork(network));
  return wrong === undefined ? { networks } : { wrong };
}
