/*
 * The hosts on which the script is on, without naming them in the file. A host is in the list as the hash of its
 * name. A domain with its subdomains is there as the hash of its name after a dot, and a subdomain that is off as the hash of its
 * name after an exclamation mark. The hash is FNV-1a with 32 bits: for an account with a thousand hosts, one host in four million
 * passes by chance, and the server then rejects it.
 */
export function hostHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x1000193);
  return hash >>> 0;
}

export function isOn(hosts: readonly number[], host: string): boolean {
  const has = (text: string) => hosts.includes(hostHash(text));
  const isDomainOn = host.split('.').some((_, index, labels) => has(`.${labels.slice(index).join('.')}`));
  return !has(`!${host}`) && (has(host) || isDomainOn);
}
