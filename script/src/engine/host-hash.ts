/*
 * Which hosts are on, without naming them to whoever reads the file: a host that is on is there as the hash of its name, a
 * domain that takes in its subdomains also as the hash of its name after a dot, and what is off below one as the hash of its
 * name after an exclamation mark. FNV-1a, in 32 bits: one host in four
 * million that is off passes by chance for an account with a thousand, and is then refused by the server.
 */
export function hostHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x1000193);
  return hash >>> 0;
}

export function isOn(hosts: readonly number[], host: string): boolean {
  const has = (text: string) => hosts.includes(hostHash(text));
  return (
    !has(`!${host}`) && (has(host) || host.split('.').some((_, at, labels) => has(`.${labels.slice(at).join('.')}`)))
  );
}
