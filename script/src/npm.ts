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

export function init(token: string, { url, ...options }: { url: string; storage?: string }) {
  const usher = stub();
  if (typeof document === 'undefined' || home.usherLoads) return usher;
  home.usherLoads = true;
  usher.init(options);
  const script = document.createElement('script');
  script.async = true;
  script.src = `${url.replace(/\/$/, '')}/script/${encodeURIComponent(token)}.js`;
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
