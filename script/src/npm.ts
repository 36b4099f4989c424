/* The package for bundlers. It has only the stub; the rest comes from the server, so that it fits the version of the server. */

type Call = (...args: unknown[]) => unknown;
interface Policy {
  createScriptURL(url: string): string;
}
/** Records calls for the core, which replaces the functions and makes the recorded calls. */
type Stub = { q: unknown[]; data: unknown } & { [name: string]: unknown };
const global = globalThis as unknown as {
  usher?: Stub;
  usherLoads?: boolean;
  trustedTypes?: { createPolicy(name: string, rules: object): Policy };
};
const names = ['identify', 'track', 'set', 'show', 'clear', 'on', 'off', 'debug'];

function getStub(): Stub {
  if (global.usher) return global.usher;
  const stub: Stub = { q: [], data: { profile: { get: () => undefined } } };
  for (const name of [...names, 'init']) stub[name] = (...args: unknown[]) => stub.q.push([name, args]);
  global.usher = stub;
  return stub;
}

export function init(
  token: string,
  { url, nonce = '', ...options }: { url: string; nonce?: string; storage?: string },
) {
  const usher = getStub();
  if (typeof document === 'undefined' || global.usherLoads) return usher;
  global.usherLoads = true;
  (usher.init as Call)(options);
  const script = document.createElement('script');
  script.async = true;
  script.nonce = nonce;
  const base = `${url.replace(/\/$/, '')}/script/`;
  const address = `${base}${encodeURIComponent(token)}.js`;
  const createScriptURL = (candidate: string) => {
    // Only the loader and the files that it loads are allowed.
    if (candidate.startsWith(base) && /^(files\/)?[\w.~%-]+\.js$/.test(candidate.slice(base.length))) return candidate;
    throw candidate;
  };
  let policy: Policy | undefined;
  try {
    policy = global.trustedTypes?.createPolicy('usher', { createScriptURL });
  } catch {}
  // There can be only one policy of this name. The loader takes it from its element, where the page cannot reach it.
  Object.assign(script, { p: policy });
  script.src = policy ? policy.createScriptURL(address) : address;
  // A script element delays the load event of the page until the server has responded. A preload does not.
  const preload = document.createElement('link');
  Object.assign(preload, { rel: 'preload', as: 'script', nonce, href: address });
  preload.onload = () => document.head.append(script);
  document.head.append(preload);
  return usher;
}

const usher: Record<string, unknown> = {
  init,
  get data() {
    return getStub().data;
  },
};
for (const name of names) usher[name] = (...args: unknown[]) => (getStub()[name] as Call)(...args);
export default usher;
