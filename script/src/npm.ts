/* The package for bundlers: the stub of the snippet. The rest comes from the server, so that it fits the server. */

type Call = (...given: unknown[]) => unknown;
interface Policy {
  createScriptURL(url: string): string;
}
/** What waits for the core, which makes the calls of it. */
type Stub = { q: unknown[]; data: unknown } & { [name: string]: unknown };
const home = globalThis as unknown as {
  usher?: Stub;
  usherLoads?: boolean;
  trustedTypes?: { createPolicy(name: string, rules: object): Policy };
};
const names = ['identify', 'track', 'set', 'show', 'clear', 'on', 'off'];

function stub(): Stub {
  if (home.usher) return home.usher;
  const made: Stub = { q: [], data: { profile: { get: () => undefined } } };
  for (const name of [...names, 'init']) made[name] = (...given: unknown[]) => made.q.push([name, given]);
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
  (usher.init as Call)(options);
  const script = document.createElement('script');
  script.async = true;
  script.nonce = nonce;
  const base = `${url.replace(/\/$/, '')}/script/`;
  const address = `${base}${encodeURIComponent(token)}.js`;
  const createScriptURL = (given: string) => {
    // The loader and its files, and nothing else.
    if (given.startsWith(base) && /^(files\/)?[\w.~%-]+\.js$/.test(given.slice(base.length))) return given;
    throw given;
  };
  let policy: Policy | undefined;
  try {
    policy = home.trustedTypes?.createPolicy('usher', { createScriptURL });
  } catch {}
  // There can be one of this name: the loader takes it up from its element, where no name of the page leads to it.
  Object.assign(script, { p: policy });
  script.src = policy ? policy.createScriptURL(address) : address;
  document.head.append(script);
  return usher;
}

const usher: Record<string, unknown> = {
  init,
  get data() {
    return stub().data;
  },
};
for (const name of names) usher[name] = (...given: unknown[]) => (stub()[name] as Call)(...given);
export default usher;
