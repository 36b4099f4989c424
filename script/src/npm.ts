/* The package for bundlers: the stub of the snippet. The rest comes from the server, so that it fits the server. */

// biome-ignore lint/suspicious/noExplicitAny: the stub becomes what the core makes of it
const home = globalThis as any;
const names = ['identify', 'track', 'set', 'show', 'clear', 'on', 'off'];

function stub() {
  if (home.usher) return home.usher;
  const made: Record<string, unknown> = { q: [], data: { profile: { get: () => undefined } } };
  for (const name of [...names, 'init'])
    made[name] = (...given: unknown[]) => (made.q as unknown[]).push([name, given]);
  home.usher = made;
  return made;
}

export function init(
  token: string,
  { url, nonce = '', ...options }: { url: string; nonce?: string; storage?: string },
) {
  const usher = stub();
  if (typeof document === 'undefined' || home.usherLoads) return usher;
  home.usherLoads = true;
  usher.init(options);
  const script = document.createElement('script');
  script.async = true;
  script.nonce = nonce;
  const address = `${url.replace(/\/$/, '')}/script/${encodeURIComponent(token)}.js`;
  const same = (text: string) => text;
  try {
    // There can be one of this name: the loader takes it up.
    usher.p = home.trustedTypes?.createPolicy('usher', { createScriptURL: same, createScript: same });
  } catch {}
  script.src = usher.p ? usher.p.createScriptURL(address) : address;
  document.head.append(script);
  return usher;
}

const usher: Record<string, unknown> = {
  init,
  get data() {
    return stub().data;
  },
};
for (const name of names) usher[name] = (...given: unknown[]) => stub()[name](...given);
export default usher;
